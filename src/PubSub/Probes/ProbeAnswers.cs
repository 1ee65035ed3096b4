using System.Collections.Concurrent;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.Readers;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Discovery;
using Gateway.PubSub.Uadp.Reading;
using Gateway.PubSub.Uadp.Security;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Probes;

/// <summary>
/// Answers the probes of subscribers: metadata and configuration of DataSetWriters, and the gateway's endpoints. An
/// answer goes where the data goes, never to the sender of a probe, which can be forged. Owner: the output. Threads:
/// any. Source: Part 14 §7.2.4.6.10 to §7.2.4.6.12.
/// </summary>
/// <param name="publisherId">Of the gateway.</param>
/// <param name="endpoints">Of the gateway.</param>
/// <param name="limits">On probes and answers.</param>
/// <param name="time">The clock.</param>
/// <param name="send">To the connection's address.</param>
/// <param name="listen">Brings the probes; this disposes the link.</param>
/// <param name="logger">Of the connection.</param>
internal sealed partial class ProbeAnswers(
    UadpPublisherId publisherId, Func<EndpointDescription[]> endpoints, PubSubLimits limits, TimeProvider time,
    DatagramAnnouncer.Sender send, Func<IReaderInput, IReaderLink> listen, ILogger logger)
    : IProbeAnswers, IReaderInput, IUadpDirectory
{
    private const int TypeOffset = 2;

    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    private readonly Lock _lock = new();
    private readonly ConcurrentDictionary<string, ProbeGroup> _groups = new(StringComparer.Ordinal);
    private readonly ProbeDesk _desk = new(limits, time);
    private PubSubConnectionDataType _connection = new();
    private volatile ushort _unknown;
    private IReaderLink? _link;
    private ITimer? _timer;
    private long _taken;
    private long _refused;

    public bool TakesStatus => false;

    /// <summary>Probes for this publisher that were read.</summary>
    public long Taken => Interlocked.Read(ref _taken);

    /// <summary>Too many, unreadable, or with less security than their group.</summary>
    public long Refused => Interlocked.Read(ref _refused);

    public void Start()
    {
        _link = listen(this);
        _link.Start();
        _timer = Contained.Every(time, Interval, Answer, error => LogFault(logger, error));
    }

    public void Use(PubSubConnectionDataType connection) => Volatile.Write(ref _connection, connection);

    public void Add(WriterGroupOptions group, DatagramAnnouncer announcer, ISecurityKeySource? keys)
    {
        var reader = new UadpNetworkMessageReader(
            new UadpReaderOptions { SecurityMode = group.Security }, this, keys, time);
        lock (_lock)
        {
            if (_groups.TryRemove(group.Name, out var before))
                before.Dispose();
            _groups[group.Name] = new ProbeGroup(group, announcer, reader);
        }
    }

    public void Remove(string group)
    {
        lock (_lock)
        {
            if (_groups.TryRemove(group, out var before))
                before.Dispose();
            _desk.Forget(group);
        }
    }

    /// <summary>Data and announcements come by, too, also the publisher's own.</summary>
    public bool TryTake(string? publisher, ReadOnlySpan<byte> message)
    {
        if (message.Length <= TypeOffset ||
            (message[TypeOffset] & UadpFlags.MessageTypeMask) != UadpFlags.DiscoveryProbe)
            return false;
        if (UadpReceivedHead.Read(message, new UadpReaderOptions().Values, out var head) != UadpReadProblem.None ||
            head.MessageType != UadpFlags.DiscoveryProbe || head.PublisherId?.ToString() != publisherId.ToString())
            return false;
        if (!_desk.MayLook() || !TryRead(message))
            Interlocked.Increment(ref _refused);
        else
            Interlocked.Increment(ref _taken);
        return true;
    }

    /// <summary>For a timer: sends what is due.</summary>
    public void Answer()
    {
        foreach (var by in _desk.TakeDue().GroupBy(static one => (one.Type, one.Group)))
        {
            if (by.Key.Type == UadpAnnouncementType.PublisherEndpoints)
                First(MessageSecurityMode.None)?.Announcer.AnnounceEndpoints(endpoints(), send);
            else if (by.Key.Group.Length == 0)
                First(MessageSecurityMode.None)?.Announcer.AnnounceUnknown(by.Key.Type, _unknown, send);
            else if (_groups.TryGetValue(by.Key.Group, out var group))
                Answer(group, by.Key.Type, [.. by.Select(static one => one.Writer)]);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_timer is not null)
            await _timer.DisposeAsync().ConfigureAwait(false);
        if (_link is not null)
            await _link.DisposeAsync().ConfigureAwait(false);
        lock (_lock)
        {
            foreach (var group in _groups.Values)
                group.Dispose();
            _groups.Clear();
        }
    }

    DataSetMetaDataType? IUadpDirectory.FindMetaData(
        in UadpPublisherId? publisher, ushort writerGroupId, ushort dataSetWriterId) => null;

    ReadOnlySpan<UadpSlot> IUadpDirectory.FindSlots(
        in UadpPublisherId? publisher, ushort writerGroupId, ushort networkMessageNumber) => [];

    private ProbeGroup? First(MessageSecurityMode mode) =>
        _groups.Values.FirstOrDefault(one => one.Options.Security == mode);

    /// <summary>False: no group can open it.</summary>
    private bool TryRead(ReadOnlySpan<byte> message)
    {
        var isRead = false;
        lock (_lock)
        {
            // A number that no group has is answered once.
            HashSet<ushort> unknown = [];
            UadpAnnouncementType type = default;
            foreach (var group in _groups.Values)
            {
                if (group.Reader.Read(message).Probe is not { } probe)
                    continue;
                if (!isRead)
                    unknown.UnionWith(probe.DataSetWriterIds);
                (isRead, type) = (true, probe.Type);
                if (probe.Type == UadpAnnouncementType.PublisherEndpoints)
                {
                    _desk.Owe(new ProbeDesk.Answer(probe.Type, "", 0));
                    continue;
                }

                foreach (var writer in group.Options.DataSetWriters.Select(static one => (ushort)one.DataSetWriterId)
                    .Where(probe.DataSetWriterIds.Contains))
                    _desk.Owe(new ProbeDesk.Answer(probe.Type, group.Options.Name, writer));
            }

            unknown.ExceptWith(_groups.Values.SelectMany(static one => one.Options.DataSetWriters)
                .Select(static one => (ushort)one.DataSetWriterId));
            if (unknown.Count > 0)
            {
                _unknown = unknown.First();
                _desk.Owe(new ProbeDesk.Answer(type, "", 0));
            }
        }

        return isRead;
    }

    private void Answer(ProbeGroup group, UadpAnnouncementType type, ushort[] writers)
    {
        if (type == UadpAnnouncementType.DataSetMetaData)
        {
            foreach (var writer in writers)
                group.Announcer.Repeat(writer, send);
            return;
        }

        // All writers of a group that were asked for are in one answer.
        var all = Volatile.Read(ref _connection).WriterGroups?.FirstOrDefault(one => one.Name == group.Options.Name);
        if (all is null)
            return;
        group.Announcer.AnnounceConfiguration(writers, new WriterGroupDataType
        {
            Name = all.Name,
            Enabled = all.Enabled,
            SecurityMode = all.SecurityMode,
            WriterGroupId = all.WriterGroupId,
            PublishingInterval = all.PublishingInterval,
            KeepAliveTime = all.KeepAliveTime,
            HeaderLayoutUri = all.HeaderLayoutUri,
            MessageSettings = all.MessageSettings,
            DataSetWriters = [.. (all.DataSetWriters ?? []).Where(one => writers.Contains(one.DataSetWriterId))],
        }, [.. writers.Select(static _ => StatusCode.Good)], send);
    }

    [LoggerMessage(6321, LogLevel.Error, "PubSub: a fault of the gateway at a probe")]
    private static partial void LogFault(ILogger logger, Exception error);
}
