using System.Diagnostics.Metrics;

namespace Gateway.Transport.Hosting;

/// <summary>The instruments of meter <c>Gateway.Transport</c>, and beside them plain totals for tests and the console.
/// Labels never name a peer. Threads: any.</summary>
public sealed class TransportCounters : IDisposable
{
    public const string MeterName = "Gateway.Transport";

    private readonly Meter _meter = new(MeterName);
    private readonly long[] _closes = new long[Enum.GetValues<ChannelCloseReason>().Length];
    private readonly Counter<long> _connectionsAccepted;
    private readonly Counter<long> _channelsOpened;
    private readonly Counter<long> _renewals;
    private readonly Counter<long> _closed;
    private readonly Counter<long> _messagesReceived;
    private readonly Counter<long> _messagesSent;
    private readonly Counter<long> _bytesReceived;
    private readonly Counter<long> _bytesSent;
    private readonly Counter<long> _privateKeyRefused;
    private readonly Counter<long> _privateKeyExpired;
    private long _connections;
    private long _channels;
    private long _opened;
    private long _renewed;
    private long _keyRefused;
    private long _keyExpired;

    public TransportCounters()
    {
        _connectionsAccepted = _meter.CreateCounter<long>("gateway_connections_accepted_total");
        _channelsOpened = _meter.CreateCounter<long>("gateway_secure_channels_opened_total");
        _renewals = _meter.CreateCounter<long>("gateway_secure_channel_renewals_total");
        _closed = _meter.CreateCounter<long>("gateway_secure_channel_closes_total");
        _messagesReceived = _meter.CreateCounter<long>("gateway_messages_received_total");
        _messagesSent = _meter.CreateCounter<long>("gateway_messages_sent_total");
        _bytesReceived = _meter.CreateCounter<long>("gateway_received_bytes_total");
        _bytesSent = _meter.CreateCounter<long>("gateway_sent_bytes_total");
        _privateKeyRefused = _meter.CreateCounter<long>("gateway_private_key_refused_total");
        _privateKeyExpired = _meter.CreateCounter<long>("gateway_private_key_expired_total");
        _meter.CreateObservableGauge("gateway_connections", () => Connections);
        _meter.CreateObservableGauge("gateway_secure_channels", () => SecureChannels);
        _meter.CreateObservableGauge("gateway_unfinished_message_bytes", () => Budget?.TotalBytes ?? 0);
    }

    public long Connections => Volatile.Read(ref _connections);

    public long SecureChannels => Volatile.Read(ref _channels);

    public long SecureChannelsOpened => Volatile.Read(ref _opened);

    public long Renewals => Volatile.Read(ref _renewed);

    public long PrivateKeyRefusals => Volatile.Read(ref _keyRefused);

    public long PrivateKeyExpirations => Volatile.Read(ref _keyExpired);

    internal MemoryBudget? Budget { get; set; }

    public long Closes(ChannelCloseReason reason) => Volatile.Read(ref _closes[(int)reason]);

    public void Dispose() => _meter.Dispose();

    internal void ConnectionOpened()
    {
        Interlocked.Increment(ref _connections);
        _connectionsAccepted.Add(1);
    }

    internal void ConnectionClosed(ChannelCloseReason reason)
    {
        Interlocked.Decrement(ref _connections);
        Interlocked.Increment(ref _closes[(int)reason]);
        _closed.Add(1, new KeyValuePair<string, object?>("reason", CloseReasonNames.Of(reason)));
    }

    internal void ChannelOpened()
    {
        Interlocked.Increment(ref _channels);
        Interlocked.Increment(ref _opened);
        _channelsOpened.Add(1);
    }

    internal void ChannelClosed() => Interlocked.Decrement(ref _channels);

    internal void ChannelRenewed()
    {
        Interlocked.Increment(ref _renewed);
        _renewals.Add(1);
    }

    /// <summary>Once a read burst, not once a message.</summary>
    internal void Received(int messages, long bytes)
    {
        if (messages > 0)
            _messagesReceived.Add(messages);
        _bytesReceived.Add(bytes);
    }

    /// <summary>Once a flush.</summary>
    internal void Sent(int messages, long bytes)
    {
        _messagesSent.Add(messages);
        _bytesSent.Add(bytes);
    }

    internal void PrivateKeyRefused()
    {
        Interlocked.Increment(ref _keyRefused);
        _privateKeyRefused.Add(1);
    }

    internal void PrivateKeyExpired()
    {
        Interlocked.Increment(ref _keyExpired);
        _privateKeyExpired.Add(1);
    }
}
