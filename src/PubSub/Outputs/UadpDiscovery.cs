using Gateway.Codec.Structures;
using Gateway.PubSub.Options;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Discovery;

namespace Gateway.PubSub.Outputs;

/// <summary>In UADP. Metadata of a sealed group is sealed with the group's keys; the other messages tell nothing of the
/// plant and are not. Source: Part 14 §7.2.4.6.</summary>
/// <param name="publisher">The gateway.</param>
/// <param name="publisherId">Its id, as UADP has it.</param>
/// <param name="connection">As subscribers may know it.</param>
/// <param name="topics">Of the publisher.</param>
/// <param name="groups">Of the connection.</param>
/// <param name="keys">Of the groups.</param>
internal sealed class UadpDiscovery(
    PublisherFacts publisher, UadpPublisherId publisherId, PubSubConnectionDataType connection, TopicTree topics,
    IReadOnlyList<WriterGroupOptions> groups, GroupKeys keys) : IDiscoveryMessages, IDisposable
{
    private const bool IsJson = false;

    /// <summary>A broker keeps one message a topic, so that metadata cannot go out in chunks.</summary>
    private const int MaxBytes = 8 << 20;

    private readonly Lock _lock = new();
    private readonly Dictionary<string, UadpDiscoveryWriter> _writers = new(StringComparer.Ordinal);
    private PubSubConnectionDataType _connection = connection;
    private volatile IReadOnlyList<WriterGroupOptions> _groups = groups;
    private ushort _sequence;

    /// <summary>The keys of a group may be others, too.</summary>
    public void Change(PubSubConnectionDataType connection, IReadOnlyList<WriterGroupOptions> groups)
    {
        lock (_lock)
        {
            (_connection, _groups) = (connection, groups);
            ClearUnderLock();
        }
    }

    public RetainedMessage Status(PubSubState state) => Write(
        TopicTree.StatusType, topics.Status(IsJson), null, writer => writer.TryWriteStatus(state))!;

    public RetainedMessage Application(DateTime now) => Write(
        TopicTree.ApplicationType, topics.Application(IsJson), null,
        writer => writer.TryWriteApplication(publisher.Description, PublisherFacts.Capabilities))!;

    public RetainedMessage Connection(DateTime now) => Write(
        TopicTree.ConnectionType, topics.Connection(IsJson), null,
        writer => writer.TryWriteConnections(_connection))!;

    public RetainedMessage? MetaData(Announcement announcement, DateTime now) =>
        _groups.FirstOrDefault(group => group.Name == announcement.Group.Name) is { } group
            ? MetaData(announcement, group)
            : null;

    public void Dispose()
    {
        lock (_lock)
            ClearUnderLock();
    }

    private RetainedMessage? MetaData(Announcement announcement, WriterGroupOptions group) => Write(
        TopicTree.MetaDataType, topics.MetaData(IsJson, announcement.Group.Name, announcement.Writer.Name),
        group, writer => writer.TryWriteMetaData(announcement.Writer.DataSetWriterId, announcement.Writer.MetaData));

    private void ClearUnderLock()
    {
        foreach (var writer in _writers.Values)
            writer.Dispose();
        _writers.Clear();
    }

    /// <param name="type">Of the topic.</param>
    /// <param name="topic">Whole.</param>
    /// <param name="group">Its keys seal the message; null: nothing does.</param>
    /// <param name="write">False: there is no key, or it is too large.</param>
    private RetainedMessage? Write(
        string type, string topic, WriterGroupOptions? group, Func<UadpDiscoveryWriter, bool> write)
    {
        lock (_lock)
        {
            var isSealed = group is { Security: not (MessageSecurityMode.None or MessageSecurityMode.Invalid) };
            var key = isSealed ? group!.Name : "";
            if (!_writers.TryGetValue(key, out var writer))
                _writers.Add(key, writer = Make(isSealed ? group : null));
            // One sequence for all announcements of the publisher.
            writer.NextSequenceNumber = _sequence;
            if (!write(writer) || writer.PartCount != 1)
                return null;
            _sequence = writer.NextSequenceNumber;
            return new RetainedMessage(type, topic, writer.Part(0).ToArray());
        }
    }

    private UadpDiscoveryWriter Make(WriterGroupOptions? group) => new(
        new UadpWriterOptions
        {
            PublisherId = publisherId,
            MaxMessageBytes = MaxBytes,
            MaxDataSetMessageBytes = MaxBytes,
        }, group is null ? null : keys.SealerOf(group));
}
