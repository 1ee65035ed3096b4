using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Options;
using Gateway.Store;

namespace Gateway.PubSub.Outputs;

/// <summary>The discovery messages of a publisher in JSON, Compact. Source: Part 14 §7.2.5.5.</summary>
internal sealed class JsonBrokerMessages(
    PublisherFacts publisher, ConnectionOptions options, TopicTree topics, NodeTable nodes) : IBrokerMessages
{
    private const bool IsJson = true;

    public IEnumerable<RetainedMessage> AtStart(DateTime now) =>
    [
        Status(PubSubState.Operational),
        new(topics.Application(IsJson), Write("ua-application", now, writer =>
        {
            writer.Json.WritePropertyName("Description");
            writer.WriteStructure(new ApplicationDescription
            {
                ApplicationUri = publisher.ApplicationUri,
                ApplicationName = new LocalizedText(publisher.ApplicationName),
                ApplicationType = ApplicationType.Server,
            });
            writer.Json.WriteStartArray("ServerCapabilities");
            writer.Json.WriteStringValue("DA");
            writer.Json.WriteStringValue("PUB");
            writer.Json.WriteEndArray();
        })),
        new(topics.Connection(IsJson), Write("ua-connection", now, writer =>
        {
            writer.Json.WritePropertyName("Connection");
            writer.WriteStructure(Connection());
        })),
    ];

    public RetainedMessage OfMetaData(Announcement announcement, DateTime now)
    {
        var (group, of) = (announcement.Group, announcement.Writer);
        return new RetainedMessage(
            topics.MetaData(IsJson, group.Name, of.Name), Write("ua-metadata", now, writer =>
            {
                writer.Json.WriteNumber("DataSetWriterId", of.DataSetWriterId);
                writer.Json.WriteString("WriterGroupName", group.Name);
                writer.Json.WriteString("DataSetWriterName", of.Name);
                writer.Json.WritePropertyName("MetaData");
                writer.WriteStructure(of.MetaData);
            }));
    }

    public RetainedMessage OfGap(StoreGap gap, DateTime now) => new(
        topics.Gaps, Write("gateway-gap", now, writer =>
        {
            var json = writer.Json;
            json.WriteString("Reason", gap.Reason.ToString());
            json.WriteNumber("From", gap.From);
            json.WriteNumber("To", gap.To);
            json.WriteNumber("Count", gap.Count);
            json.WriteString("FirstTime", gap.FirstTime);
            json.WriteString("LastTime", gap.LastTime);
            json.WriteStartObject("Writers");
            foreach (var (id, count) in gap.Writers)
                json.WriteNumber(NameOf(id), count);
            json.WriteEndObject();
        }), IsRetained: false);

    public RetainedMessage AtEnd() => Status(PubSubState.Disabled);

    public RetainedMessage Will() => Status(PubSubState.Error);

    /// <summary>A status that is not cyclic has no time.</summary>
    private RetainedMessage Status(PubSubState state) => new(
        topics.Status(IsJson), Write("ua-status", null, writer =>
        {
            writer.Json.WriteBoolean("IsCyclic", false);
            writer.Json.WriteNumber("Status", (int)state);
        }));

    private string NameOf(ushort writerId) => options.WriterGroups.SelectMany(static one => one.DataSetWriters)
        .FirstOrDefault(one => one.DataSetWriterId == writerId)?.Name ?? $"{writerId}";

    /// <summary>Without its address, as the standard wants it here.</summary>
    private PubSubConnectionDataType Connection() => new()
    {
        Name = options.Name,
        Enabled = true,
        PublisherId = new Variant(publisher.PublisherId),
        TransportProfileUri = "http://opcfoundation.org/UA-Profile/Transport/pubsub-mqtt-json",
        WriterGroups = [.. options.WriterGroups.Select(static group => new WriterGroupDataType
        {
            Name = group.Name,
            Enabled = true,
            WriterGroupId = (ushort)group.WriterGroupId,
            PublishingInterval = group.PublishingIntervalMs,
            KeepAliveTime = group.KeepAliveMs,
            DataSetWriters = [.. group.DataSetWriters.Select(static writer => new DataSetWriterDataType
            {
                Name = writer.Name,
                Enabled = true,
                DataSetWriterId = (ushort)writer.DataSetWriterId,
                DataSetName = writer.DataSet,
            })],
        })],
    };

    private ReadOnlyMemory<byte> Write(string type, DateTime? now, Action<UaJsonWriter> members)
    {
        var uris = nodes.Namespaces.Uris;
        var writer = UaJsonWriter.Rent(new JsonFormat { Uris = new JsonUris(uris, uris[1..2]) });
        writer.StartObject();
        writer.Json.WriteString("MessageId", Guid.NewGuid());
        writer.Json.WriteString("MessageType", type);
        writer.Json.WriteString("PublisherId", publisher.PublisherId);
        if (now is { } at)
        {
            writer.Json.WritePropertyName("Timestamp");
            writer.WriteDateTime(at);
        }

        members(writer);
        writer.EndObject();
        var message = writer.WrittenMemory.ToArray();
        writer.Return();
        return message;
    }
}
