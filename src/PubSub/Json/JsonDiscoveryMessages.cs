using System.Text.Json;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Json;

/// <summary>The messages that tell subscribers about a publisher, as the bytes that a broker keeps. In Compact, but a
/// member that the standard calls mandatory is there even with its default. Threads: any. Source: Part 14 §7.2.5.5.
/// </summary>
/// <param name="format">URIs and structures; its encoding is not used.</param>
public sealed class JsonDiscoveryMessages(JsonFormat format)
{
    private readonly JsonFormat _format = new JsonFormats(format).Compact;

    /// <summary>The DataSetMetaData of a writer. Source: Part 14 §7.2.5.5.2.</summary>
    public byte[] MetaData(in JsonMessageHead head, string groupName, WriterDescription of) => Write(
        JsonMessageNames.MetaDataType, head, hasTimestamp: false, (groupName, of), static (writer, facts, head) =>
        {
            var json = writer.Json;
            json.WriteNumber(JsonMessageNames.DataSetWriterId, (int)facts.of.DataSetWriterId);
            json.WriteString(JsonMessageNames.WriterGroupName, JsonMessageNames.Encode(facts.groupName));
            json.WriteString(JsonMessageNames.DataSetWriterName, JsonMessageNames.Encode(facts.of.Name));
            json.WritePropertyName(JsonMessageNames.Timestamp);
            writer.WriteDateTime(head.Timestamp);
            json.WritePropertyName(JsonMessageNames.MetaData);
            facts.of.MetaData.Encode(writer);
        });

    /// <summary>A status that stands until the next one: also the Will, with Error. It has no times, because the broker
    /// sends it whenever it notices. Source: Part 14 §7.2.5.5.5.</summary>
    public byte[] Status(in JsonMessageHead head, PubSubState state) => Write(
        JsonMessageNames.StatusType, head, hasTimestamp: false, state, static (writer, state, _) =>
        {
            writer.Json.WriteBoolean(JsonMessageNames.IsCyclic, false);
            writer.Json.WriteNumber(JsonMessageNames.Status, (int)state);
        });

    /// <summary>A status that is over if no other has come until then. Source: Part 14 §7.2.5.5.5.</summary>
    /// <param name="head">With the time of sending.</param>
    /// <param name="state">Operational, or Disabled at the end.</param>
    /// <param name="nextReportTime">UTC.</param>
    public byte[] CyclicStatus(in JsonMessageHead head, PubSubState state, DateTime nextReportTime) => Write(
        JsonMessageNames.StatusType, head, hasTimestamp: true, (state, nextReportTime), static (writer, facts, _) =>
        {
            writer.Json.WriteBoolean(JsonMessageNames.IsCyclic, true);
            writer.Json.WriteNumber(JsonMessageNames.Status, (int)facts.state);
            writer.Json.WritePropertyName(JsonMessageNames.NextReportTime);
            writer.WriteDateTime(facts.nextReportTime);
        });

    /// <summary>The connection without its address, its ReaderGroups and all configuration properties.
    /// Source: Part 14 §7.2.5.5.6.</summary>
    public byte[] Connection(in JsonMessageHead head, PubSubConnectionDataType connection) => Write(
        JsonMessageNames.ConnectionType, head, hasTimestamp: true, connection, static (writer, connection, _) =>
        {
            writer.Json.WritePropertyName(JsonMessageNames.Connection);
            PublicParts.Of(connection).Encode(writer);
        });

    /// <summary>Source: Part 14 §7.2.5.5.3.</summary>
    public byte[] Application(
        in JsonMessageHead head, ApplicationDescription description, IReadOnlyList<string> capabilities) => Write(
        JsonMessageNames.ApplicationType, head, hasTimestamp: true, (description, capabilities),
        static (writer, facts, _) =>
        {
            writer.Json.WritePropertyName(JsonMessageNames.Description);
            facts.description.Encode(writer);
            writer.Json.WriteStartArray(JsonMessageNames.ServerCapabilities);
            foreach (var capability in facts.capabilities)
                writer.WriteString(capability);
            writer.Json.WriteEndArray();
        });

    /// <summary>Source: Part 14 §7.2.5.5.4.</summary>
    public byte[] Endpoints(in JsonMessageHead head, IReadOnlyList<EndpointDescription> endpoints) => Write(
        JsonMessageNames.EndpointsType, head, hasTimestamp: true, endpoints, static (writer, endpoints, _) =>
        {
            writer.Json.WriteStartArray(JsonMessageNames.Endpoints);
            foreach (var endpoint in endpoints)
                endpoint.Encode(writer);
            writer.Json.WriteEndArray();
        });

    private byte[] Write<T>(
        string type, in JsonMessageHead head, bool hasTimestamp, T facts, Action<UaJsonWriter, T, JsonMessageHead> rest)
    {
        var writer = UaJsonWriter.Rent(_format);
        try
        {
            var json = writer.Json;
            json.WriteStartObject();
            json.WriteString(JsonMessageNames.MessageId, head.MessageId);
            json.WriteString(JsonMessageNames.MessageType, JsonEncodedText.Encode(type));
            json.WriteString(JsonMessageNames.PublisherId, JsonMessageNames.Encode(head.PublisherId));
            if (hasTimestamp)
            {
                json.WritePropertyName(JsonMessageNames.Timestamp);
                writer.WriteDateTime(head.Timestamp);
            }

            rest(writer, facts, head);
            json.WriteEndObject();
            return writer.WrittenSpan.ToArray();
        }
        finally
        {
            writer.Return();
        }
    }
}
