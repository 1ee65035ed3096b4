using System.Collections.Concurrent;
using System.Net.Sockets;
using Gateway.Codec.Structures;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.States;
using Gateway.PubSub.Uadp;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Outputs;

/// <summary>Sends datagrams: each once, to one address or a multicast group. There is no acknowledgement, so that
/// nothing is stored. Metadata is announced when it changes, and again and again for subscribers that come later.
/// Owner: its connection. Source: Part 14 §7.3.2.</summary>
internal sealed partial class UdpOutput : IConnectionOutput
{
    /// <summary>Of the look for the address, and of announcements.</summary>
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(10);

    private readonly ConcurrentDictionary<string, DatagramAnnouncer> _announcers = new(StringComparer.Ordinal);
    private readonly DatagramTarget _target;
    private readonly UadpPublisherId _publisherId;
    private readonly PubSubLimits _limits;
    private readonly GroupKeys _keys;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private ITimer? _timer;
    private long _failed;
    private int _isFailing;
    private int _isLooking;
    private IProbeAnswers? _probes;
    private string? _toldError;

    /// <param name="target">This disposes it.</param>
    /// <param name="publisherId">Of all messages.</param>
    /// <param name="limits">Of messages.</param>
    /// <param name="keys">Of the groups.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Of the connection.</param>
    public UdpOutput(
        DatagramTarget target, UadpPublisherId publisherId, PubSubLimits limits, GroupKeys keys, TimeProvider time,
        ILogger logger)
    {
        (_target, _publisherId, _limits, _keys) = (target, publisherId, limits, keys);
        (_time, _logger) = (time, logger);
    }

    /// <summary>Datagrams that the system did not take.</summary>
    public long Failed => Volatile.Read(ref _failed);

    public INetworkMessageWriter WriterOf(WriterGroupOptions group, GroupDescription description)
    {
        var options = new UadpWriterOptions
        {
            PublisherId = _publisherId,
            MaxMessageBytes =
                _target.IsIpv4 ? UadpWriterOptions.Ipv4MessageBytes : UadpWriterOptions.Ipv6MessageBytes,
            MaxDataSetMessageBytes = _limits.MaxPubSubMessageBytes,
        };
        if (_announcers.TryRemove(group.Name, out var before))
            before.Dispose();
        var announcer = _announcers[group.Name] = new DatagramAnnouncer(
            group, options, _keys.SealerOf(group));
        _probes?.Add(group, announcer, _keys.SourceOf(group));
        return new UadpNetworkMessageWriter(description, options, _keys.SealerOf(group));
    }

    /// <summary>Before the start; this disposes it.</summary>
    public void AnswerProbes(IProbeAnswers probes) => _probes = probes;

    /// <summary>An answer that the system does not take is counted, as data is.</summary>
    public void Send(ReadOnlySpan<byte> message) => TrySend(message);

    public bool IsStarted { get; private set; }

    public void Start()
    {
        IsStarted = true;
        // With an address it ends here, so that the first messages have a way.
        OnTime();
        _timer = Contained.Every(_time, Interval, OnTime, error => LogFault(_logger, error));
        _probes?.Start();
    }

    /// <summary>The description of the connection is told to those that ask.</summary>
    public void Change(ConnectionOptions options, IReadOnlyList<DataSetOptions> dataSets) => _probes?.Use(
        ConnectionDescription.Of(options, _publisherId.ToString(), dataSets, isJson: false));

    /// <summary>A group that goes on under its name, whatever its writers are called, has an announcer of its own by
    /// then: that one stays.</summary>
    public void Withdraw(WriterGroupOptions group, IEnumerable<DataSetWriterOptions> writers)
    {
        if (!_announcers.TryGetValue(group.Name, out var announcer) || !ReferenceEquals(announcer.Group, group) ||
            !_announcers.TryRemove(new KeyValuePair<string, DatagramAnnouncer>(group.Name, announcer)))
            return;
        announcer.Dispose();
        _probes?.Remove(group.Name);
    }

    public ConnectionReport Describe(ConnectionReport report, bool explainsGaps) => report with
    {
        State = _target.Error is null ? PubSubState.Operational : PubSubState.Error,
        Detail = _target.Error ?? "",
        Discarded = Failed,
        Probes = _probes?.Taken ?? 0,
        RefusedProbes = _probes?.Refused ?? 0,
    };

    public bool TrySend(ushort writer, ReadOnlySpan<byte> topic, ReadOnlySpan<byte> message) => TrySend(message);

    public void Announce(Announcement announcement)
    {
        if (_announcers.TryGetValue(announcement.Group.Name, out var announcer))
            announcer.Announce(announcement.Writer, message => TrySend(message));
    }

    public async ValueTask DisposeAsync()
    {
        if (_timer is not null)
            await _timer.DisposeAsync().ConfigureAwait(false);
        if (_probes is not null)
            await _probes.DisposeAsync().ConfigureAwait(false);
        foreach (var announcer in _announcers.Values)
            announcer.Dispose();
        _target.Dispose();
    }

    private void OnTime()
    {
        if (Interlocked.Exchange(ref _isLooking, 1) == 0)
            _ = LookAsync();
    }

    private async Task LookAsync()
    {
        try
        {
            await _target.LookAsync().ConfigureAwait(false);
            // Once for each cause.
            if (_target.Error is { } error && error != _toldError)
                LogNoAddress(_logger, error);
            _toldError = _target.Error;
            foreach (var announcer in _announcers.Values)
                announcer.Repeat(message => TrySend(message));
        }
        finally
        {
            Volatile.Write(ref _isLooking, 0);
        }
    }

    private bool TrySend(ReadOnlySpan<byte> message)
    {
        try
        {
            if (_target.TrySend(message))
            {
                Volatile.Write(ref _isFailing, 0);
                return true;
            }
        }
        catch (SocketException error)
        {
            // Once for each time that it begins.
            if (Interlocked.Exchange(ref _isFailing, 1) == 0)
                LogFailed(_logger, error.SocketErrorCode);
        }
        catch (ObjectDisposedException)
        {
            // The end, or the address has changed meanwhile.
        }

        Interlocked.Increment(ref _failed);
        return false;
    }

    [LoggerMessage(6201, LogLevel.Warning,
        "PubSub: the system does not take datagrams ({Error}); further ones are counted")]
    private static partial void LogFailed(ILogger logger, SocketError error);

    [LoggerMessage(6203, LogLevel.Warning, "PubSub: {Error}; nothing is sent until then")]
    private static partial void LogNoAddress(ILogger logger, string error);

    [LoggerMessage(6202, LogLevel.Error, "PubSub: a fault of the gateway at a datagram address")]
    private static partial void LogFault(ILogger logger, Exception error);
}
