using System.Collections.Concurrent;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.PubSub.DataSets;
using Gateway.PubSub.Options;
using Gateway.PubSub.States;
using Gateway.Store;

namespace Gateway.PubSub.Outputs;

/// <summary>The discovery messages of a connection, in each mapping that its groups have; reports of gaps are JSON.
/// Source: Part 14 §7.3.4.7.</summary>
internal sealed class BrokerMessages : IBrokerMessages
{
    private readonly PublisherFacts _publisher;
    private readonly TopicTree _topics;
    private readonly NodeTable _nodes;
    private readonly UadpDiscovery? _uadp;
    private readonly ConcurrentDictionary<ushort, DataSetMetaDataType> _metaData = [];
    private volatile ConnectionOptions _options;
    private volatile JsonDiscovery? _json;

    public BrokerMessages(
        PublisherFacts publisher, ConnectionOptions options, IReadOnlyList<DataSetOptions> dataSets, TopicTree topics,
        NodeTable nodes, GroupKeys keys)
    {
        (_publisher, _options, _topics, _nodes) = (publisher, options, topics, nodes);
        _json = JsonOf(options, dataSets);
        if (options.WriterGroups.Any(static group => group.IsUadp))
            _uadp = new UadpDiscovery(
                publisher, options.WireIdOf(publisher.PublisherId), Describe(options, dataSets), topics,
                options.WriterGroups, keys);
    }

    /// <summary>A connection has one Will.</summary>
    private IDiscoveryMessages First => (IDiscoveryMessages?)_json ?? _uadp!;

    private IEnumerable<IDiscoveryMessages> All =>
        new IDiscoveryMessages?[] { _json, _uadp }.OfType<IDiscoveryMessages>();

    public void Change(ConnectionOptions options, IReadOnlyList<DataSetOptions> dataSets)
    {
        _options = options;
        _json = JsonOf(options, dataSets);
        _uadp?.Change(Describe(options, dataSets), options.WriterGroups);
    }

    public IEnumerable<RetainedMessage> AtStart(DateTime now) => All.SelectMany<IDiscoveryMessages, RetainedMessage>(
        one => [one.Status(PubSubState.Operational), one.Application(now), one.Connection(now)]);

    public RetainedMessage? OfMetaData(Announcement announcement, DateTime now)
    {
        _metaData[announcement.Writer.DataSetWriterId] = announcement.Writer.MetaData;
        var group = _options.WriterGroups.FirstOrDefault(one => one.Name == announcement.Group.Name);
        return group is null ? null : (group.IsUadp ? (IDiscoveryMessages)_uadp! : _json!).MetaData(announcement, now);
    }

    public IEnumerable<RetainedMessage> AtEnd() => All.Select(static one => one.Status(PubSubState.Disabled));

    public RetainedMessage Will() => First.Status(PubSubState.Error);

    public void Dispose() => _uadp?.Dispose();

    public GapReport Explain(StoreGap gap)
    {
        var tags = new List<GapTag>();
        var leftOff = 0;
        foreach (var (writer, count) in gap.Writers)
        {
            var fields = _metaData.GetValueOrDefault(writer)?.Fields ?? [];
            foreach (var field in fields.AsSpan(0, Math.Min(fields.Length, GapReport.MaxTags - tags.Count)))
                tags.Add(new GapTag(DataSetLayout.NodeOf(field) ?? field.Name ?? "", count));
            leftOff += fields.Length;
        }

        return new GapReport(gap, tags, leftOff - tags.Count);
    }

    public RetainedMessage OfGap(GapReport report, DateTime now)
    {
        var gap = report.Gap;
        var uris = _nodes.Namespaces.Uris;
        var writer = UaJsonWriter.Rent(new JsonFormat { Uris = new JsonUris(uris, uris[1..2]) });
        var json = writer.Json;
        json.WriteStartObject();
        json.WriteString("MessageId", Guid.NewGuid());
        json.WriteString("MessageType", "gateway-gap");
        json.WriteString("PublisherId", _publisher.PublisherId);
        json.WritePropertyName("Timestamp");
        writer.WriteDateTime(now);
        json.WriteString("Reason", gap.Reason.ToString());
        json.WriteNumber("From", gap.From);
        json.WriteNumber("To", gap.To);
        json.WriteNumber("Count", gap.Count);
        json.WriteString("FirstTime", gap.FirstTime);
        json.WriteString("LastTime", gap.LastTime);
        json.WriteStartObject("Writers");
        // Writers of two groups may have one name.
        foreach (var (name, ids) in gap.Writers.GroupBy(one => NameOf(one.Key)).Select(static by => (by.Key, by)))
            json.WriteNumber(name, ids.Sum(static one => one.Value));
        json.WriteEndObject();
        json.WriteStartArray("Tags");
        foreach (var tag in report.Tags)
        {
            json.WriteStartObject();
            json.WriteString("Tag", tag.Tag);
            json.WriteString("From", gap.FirstTime);
            json.WriteString("To", gap.LastTime);
            json.WriteNumber("Count", tag.Count);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        if (report.TagsLeftOff > 0)
            json.WriteNumber("TagsLeftOff", report.TagsLeftOff);
        json.WriteEndObject();
        var message = writer.WrittenMemory.ToArray();
        writer.Return();
        return new RetainedMessage(TopicTree.GapsType, _topics.Gaps, message, IsRetained: false);
    }

    /// <summary>A connection with plain topics alone, or without a group, has a status, too.</summary>
    private JsonDiscovery? JsonOf(ConnectionOptions options, IReadOnlyList<DataSetOptions> dataSets) =>
        options.WriterGroups.Count > 0 && options.WriterGroups.All(static group => group.IsUadp)
            ? null
            : new JsonDiscovery(
                _publisher, ConnectionDescription.Of(options, _publisher.PublisherId, dataSets, isJson: true), _topics,
                _nodes);

    private PubSubConnectionDataType Describe(ConnectionOptions options, IReadOnlyList<DataSetOptions> dataSets) =>
        ConnectionDescription.Of(options, _publisher.PublisherId, dataSets, isJson: false);

    private string NameOf(ushort writerId) => _options.WriterGroups.SelectMany(static one => one.DataSetWriters)
        .FirstOrDefault(one => one.DataSetWriterId == writerId)?.Name ?? $"{writerId}";
}
