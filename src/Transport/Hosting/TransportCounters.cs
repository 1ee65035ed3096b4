using System.Diagnostics.Metrics;
using Gateway.Transport.Sockets;
using Gateway.Transport.Timing;

namespace Gateway.Transport.Hosting;

/// <summary>The instruments of meter <c>Gateway.Transport</c>, and beside them plain totals for tests and the console.
/// Plain fields that the instruments read, so that counting costs an interlocked add for any number of listeners.
/// Labels never name a peer. Threads: any.</summary>
public sealed class TransportCounters : IDisposable
{
    public const string MeterName = "Gateway.Transport";

    private readonly Meter _meter = new(MeterName);
    private readonly Action<Exception> _faultLog;
    private readonly long[] _closes = new long[Enum.GetValues<ChannelCloseReason>().Length];
    private long _accepted;
    private long _connections;
    private long _channels;
    private long _opened;
    private long _renewed;
    private long _messagesReceived;
    private long _messagesSent;
    private long _bytesReceived;
    private long _bytesSent;
    private long _keyRefused;
    private long _turnsCut;
    private long _keyExpired;
    private long _httpKeepAliveEnds;
    private long _failuresNotHeld;
    private long _faultsContained;

    /// <param name="budget">The gauge shows its bytes.</param>
    /// <param name="faultLog">Where contained faults are written.</param>
    public TransportCounters(MemoryBudget budget, Action<Exception> faultLog)
    {
        ArgumentNullException.ThrowIfNull(budget);
        ArgumentNullException.ThrowIfNull(faultLog);
        _faultLog = faultLog;
        Count("gateway_connections_accepted_total", () => Volatile.Read(ref _accepted), "Connections accepted.");
        Count("gateway_secure_channels_opened_total", () => SecureChannelsOpened, "SecureChannels opened.");
        Count("gateway_secure_channel_renewals_total", () => Renewals, "SecureChannels renewed.");
        _meter.CreateObservableCounter(
            "gateway_secure_channel_closes_total", ClosesByReason, null, "Connections ended, by reason.");
        Count("gateway_messages_received_total", () => Volatile.Read(ref _messagesReceived), "Messages received.");
        Count("gateway_messages_sent_total", () => Volatile.Read(ref _messagesSent), "Messages sent.");
        Count("gateway_turns_cut_total", () => TurnsCut, "Turns of a connection cut so that others get theirs.");
        Count("gateway_received_bytes_total", () => Volatile.Read(ref _bytesReceived), "Bytes received.", "By");
        Count("gateway_sent_bytes_total", () => Volatile.Read(ref _bytesSent), "Bytes sent.", "By");
        Count("gateway_memory_refused_requests_total", () => budget.RefusedRequests,
            "Requests ended before their answer because the memory budget was used up.");
        Count("gateway_private_key_refused_total", () => PrivateKeyRefusals,
            "Private-key work rejected because the lane was full.");
        Count("gateway_private_key_expired_total", () => PrivateKeyExpirations,
            "Private-key work dropped after its deadline in the lane.");
        Count("gateway_http_keep_alive_closes_total", () => HttpKeepAliveEnds,
            "HTTP connections closed because no request followed the last answer in time.");
        Count("gateway_failures_not_held_total", () => FailuresNotHeld,
            "Answers to failed checks that left at once because too many waited.");
        Count("gateway_contained_faults_total", () => FaultsContained,
            "Internal errors, failed allocations among them, that ended one job of a shared thread.");
        Gauge("gateway_connections", () => Connections, "Connections now.");
        Gauge("gateway_secure_channels", () => SecureChannels, "SecureChannels now.");
        Gauge("gateway_unfinished_message_bytes", () => budget.TotalBytes,
            "Half-received messages and unsent answers now.", "By");
    }

    internal void Show(OutgoingPlaces places) => Gauge(
        "gateway_outgoing_connections", () => places.Open,
        "TCP connections that the process has opened itself now: to upstreams, devices, brokers and key servers.");

    public long TurnsCut => Volatile.Read(ref _turnsCut);

    public long Connections => Volatile.Read(ref _connections);

    public long SecureChannels => Volatile.Read(ref _channels);

    public long SecureChannelsOpened => Volatile.Read(ref _opened);

    public long Renewals => Volatile.Read(ref _renewed);

    public long PrivateKeyRefusals => Volatile.Read(ref _keyRefused);

    public long FailuresNotHeld => Volatile.Read(ref _failuresNotHeld);

    public long PrivateKeyExpirations => Volatile.Read(ref _keyExpired);

    public long HttpKeepAliveEnds => Volatile.Read(ref _httpKeepAliveEnds);

    public long FaultsContained => Volatile.Read(ref _faultsContained);

    public long Closes(ChannelCloseReason reason) => Volatile.Read(ref _closes[(int)reason]);

    public void Dispose() => _meter.Dispose();

    internal void TurnCut() => Interlocked.Increment(ref _turnsCut);

    internal void ConnectionOpened()
    {
        Interlocked.Increment(ref _connections);
        Interlocked.Increment(ref _accepted);
    }

    internal void ConnectionClosed(ChannelCloseReason reason)
    {
        Interlocked.Decrement(ref _connections);
        Interlocked.Increment(ref _closes[(int)reason]);
    }

    internal void ChannelOpened()
    {
        Interlocked.Increment(ref _channels);
        Interlocked.Increment(ref _opened);
    }

    internal void ChannelClosed() => Interlocked.Decrement(ref _channels);

    internal void ChannelRenewed() => Interlocked.Increment(ref _renewed);

    /// <summary>Once a read burst, not once a message.</summary>
    internal void Received(int messages, long bytes)
    {
        if (messages > 0)
            Interlocked.Add(ref _messagesReceived, messages);
        Interlocked.Add(ref _bytesReceived, bytes);
    }

    /// <summary>Once a flush.</summary>
    internal void Sent(int messages, long bytes)
    {
        Interlocked.Add(ref _messagesSent, messages);
        Interlocked.Add(ref _bytesSent, bytes);
    }

    internal void PrivateKeyRefused() => Interlocked.Increment(ref _keyRefused);

    internal void HttpKeepAliveEnded() => Interlocked.Increment(ref _httpKeepAliveEnds);

    internal void FailureNotHeld() => Interlocked.Increment(ref _failuresNotHeld);

    /// <summary>A fault that must not leave a shared thread or a timer, because it would end the process (R40). Never
    /// throws: where memory is short the line may be lost, not the count.</summary>
    internal void FaultContained(Exception error)
    {
        Interlocked.Increment(ref _faultsContained);
        Contained.Report(error, _faultLog);
    }

    internal void PrivateKeyExpired() => Interlocked.Increment(ref _keyExpired);

    private IEnumerable<Measurement<long>> ClosesByReason()
    {
        for (var i = 0; i < _closes.Length; i++)
            yield return new Measurement<long>(
                Volatile.Read(ref _closes[i]),
                new KeyValuePair<string, object?>("reason", CloseReasonNames.Of((ChannelCloseReason)i)));
    }

    private void Count(string name, Func<long> value, string description, string? unit = null) =>
        _meter.CreateObservableCounter(name, value, unit, description);

    private void Gauge(string name, Func<long> value, string description, string? unit = null) =>
        _meter.CreateObservableGauge(name, value, unit, description);
}
