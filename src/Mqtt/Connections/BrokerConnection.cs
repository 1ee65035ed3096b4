using System.Net.Sockets;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.Sessions;

namespace Gateway.Mqtt.Connections;

/// <summary>
/// One connection to the broker, from CONNECT to its end. The reading loop is the connection's life; a sending loop
/// stands beside it. The first cause of the end counts. Owner: the client's loop.
/// </summary>
/// <param name="stream">Open; the connection's from here on.</param>
/// <param name="parts">Of the client.</param>
/// <param name="number">Of this connection.</param>
internal sealed class BrokerConnection(Stream stream, ClientParts parts, long number) : IAsyncDisposable
{
    /// <summary>For the last DISCONNECT to a broker that broke the rules.</summary>
    private static readonly TimeSpan FarewellTime = TimeSpan.FromSeconds(1);

    /// <summary>Of one write, which has the whole write deadline: a slow link makes progress by slices, where one write
    /// of all that waits would end a healthy connection.</summary>
    private const int SliceBytes = 64 * 1024;

    private readonly ReceiveBuffer _buffer = new(parts.Options.Limits.MaxPacketSizeBytes);
    private readonly SendQueue _queue = new(
        parts.Options.Limits.MaxSendQueueBytes, parts.Options.Limits.MaxPacketSizeBytes, PooledSendArrays.Instance);
    private readonly CancellationTokenSource _reading = new();
    private readonly CancellationTokenSource _writing = new();
    private readonly InboundAliases _aliases = new(parts.Options.Limits.MaxTopicAliases);
    private readonly Lock _endLock = new();
    private ConnectionDeadlines? _deadlines;
    private Task _sending = Task.CompletedTask;
    private MqttConnectException? _end;
    private MqttReasonCode _farewell;
    private bool _isEnded;
    private int _unacknowledged;

    public long Number => number;

    private MqttVersion Version => parts.Options.Version;

    /// <summary>CONNECT and CONNACK. Errors: ConnAckTimeout, Refused, and those of a broken broker.</summary>
    /// <exception cref="MqttConnectException">With the fault.</exception>
    public async Task<ConnAckPacket> OpenAsync(ConnectForm connect, CancellationToken cancellation)
    {
        using var deadline = new CancellationTokenSource(parts.Options.Limits.ConnAckDeadline, parts.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, cancellation);
        var packet = connect.ToBytes();
        try
        {
            await stream.WriteAsync(packet, either.Token).ConfigureAwait(false);
            parts.Counters.CountSent(packet.Length);
            while (true)
            {
                if (TryReadConnAck(out var answer))
                    return answer;
                Take(await stream.ReadAsync(_buffer.FreeMemory(), either.Token).ConfigureAwait(false));
            }
        }
        catch (OperationCanceledException e) when (!cancellation.IsCancellationRequested)
        {
            throw new MqttConnectException(MqttFault.ConnAckTimeout, inner: e);
        }
        catch (Exception e) when (IsBroken(e))
        {
            throw new MqttConnectException(MqttFault.SocketFailed, inner: e);
        }
        finally
        {
            // It holds the password.
            packet.AsSpan().Clear();
        }
    }

    /// <summary>Publishes and subscriptions may go.</summary>
    public void Start(ConnAckPacket broker)
    {
        var keepAlive = broker.ServerKeepAliveSeconds is { } seconds
            ? TimeSpan.FromSeconds(seconds)
            : parts.Options.KeepAlive;
        _deadlines = new ConnectionDeadlines(
            parts, keepAlive, Ping, fault => End(new MqttConnectException(fault)), OnIdle);
        _sending = SendAsync(_deadlines);
        parts.Subscriptions.Attach(_queue, broker);
        parts.Outbound.Attach(_queue, broker);
    }

    /// <summary>Ends as asked by <see cref="RequestEnd"/>.</summary>
    /// <exception cref="MqttConnectException">The connection ended for another cause.</exception>
    public async Task ServeAsync()
    {
        try
        {
            await ReadAsync().ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_reading.IsCancellationRequested)
        {
            // Ended: _end says why.
        }
        catch (MqttConnectException e)
        {
            End(e);
        }
        catch (Exception e) when (IsBroken(e))
        {
            End(new MqttConnectException(MqttFault.SocketFailed, inner: e));
        }
        catch (Exception e)
        {
            End(new MqttConnectException(MqttFault.Internal, inner: e));
        }

        await LeaveAsync().ConfigureAwait(false);
        if (_end is not null)
            throw _end;
    }

    /// <summary>Our own end: everything that waits for the socket goes, then DISCONNECT. Threads: any.</summary>
    public void RequestEnd(MqttReasonCode reason)
    {
        lock (_endLock)
        {
            if (_isEnded)
                return;
            (_isEnded, _farewell) = (true, reason);
        }

        _reading.Cancel();
        parts.Inbox.WakeReader();
    }

    /// <summary>PUBACK for a message of this connection.</summary>
    public void Acknowledge(ushort packetIdentifier)
    {
        Span<byte> packet = stackalloc byte[ControlForms.MaxFixedLength];
        Interlocked.Decrement(ref _unacknowledged);
        if (!_queue.TryWriteControl(packet[..ControlForms.WritePubAck(packet, packetIdentifier)]))
            End(new MqttConnectException(MqttFault.SendQueueFull));
    }

    /// <summary>Whether one more QoS 1 message is within our Receive Maximum.</summary>
    public bool MayReceive() =>
        Version != MqttVersion.V5 || Volatile.Read(ref _unacknowledged) < parts.Options.Limits.ReceiveMaximum;

    public void CountUnacknowledged() => Interlocked.Increment(ref _unacknowledged);

    public void UncountUnacknowledged() => Interlocked.Decrement(ref _unacknowledged);

    public async ValueTask DisposeAsync()
    {
        _deadlines?.Dispose();
        _queue.Complete();
        await _writing.CancelAsync().ConfigureAwait(false);
        await stream.DisposeAsync().ConfigureAwait(false);
        await _sending.ConfigureAwait(false);
        _queue.Dispose();
        _buffer.Dispose();
        _reading.Dispose();
        _writing.Dispose();
    }

    private static bool IsBroken(Exception e) => e is IOException or SocketException or ObjectDisposedException;

    private bool TryReadConnAck(out ConnAckPacket answer)
    {
        answer = null!;
        if (!_buffer.TryPeek(out var header, out var body, out var fault))
        {
            if (fault != MqttFault.None)
                throw new MqttConnectException(fault);

            // Another protocol shows in the first bytes: its "length" may never come.
            if (header.HeaderLength > 0)
                DemandConnAck(header);
            return false;
        }

        DemandConnAck(header);
        fault = ConnAckPacket.Parse(body, Version, out answer);
        if (fault != MqttFault.None)
            throw new MqttConnectException(fault);
        if (answer.Reason != MqttReasonCode.Success)
            throw new MqttConnectException(MqttFault.Refused, answer.Reason);
        _buffer.Consume(header);
        return true;
    }

    private static void DemandConnAck(FixedHeader header)
    {
        if (header.Type != PacketType.ConnAck || header.Flags != 0)
            throw new MqttConnectException(
                Enum.IsDefined(header.Type) ? MqttFault.ProtocolError : MqttFault.UnknownPacketType);
    }

    private async Task ReadAsync()
    {
        var deadlines = _deadlines!;
        var intake = new PacketIntake(parts, _aliases, this);
        while (true)
        {
            while (!intake.TryTakeAll(_buffer, deadlines))
            {
                deadlines.Blocked();
                await parts.Inbox.RoomAsync().ConfigureAwait(false);
                _reading.Token.ThrowIfCancellationRequested();
                deadlines.Unblocked();
            }

            // Awaited here: an async method of its own would allocate for each read.
            Take(await stream.ReadAsync(_buffer.FreeMemory(), _reading.Token).ConfigureAwait(false));
        }
    }

    private void Take(int count)
    {
        if (count == 0)
            throw new MqttConnectException(_buffer.Length == 0 ? MqttFault.ClosedByBroker : MqttFault.ClosedInPacket);
        _buffer.Advance(count);
        parts.Counters.CountReceived(count);
    }

    private async Task SendAsync(ConnectionDeadlines deadlines)
    {
        try
        {
            while (_queue.TryTake(out var bytes))
            {
                if (bytes.IsEmpty)
                {
                    await _queue.WaitAsync().ConfigureAwait(false);
                    continue;
                }

                // The other buffer is free now, and fills while this one is written.
                parts.Subscriptions.OnFlushed();
                parts.Outbound.Pump();
                while (!bytes.IsEmpty)
                {
                    var slice = bytes[..Math.Min(SliceBytes, bytes.Length)];
                    deadlines.WriteStarted();
                    await stream.WriteAsync(slice, _writing.Token).ConfigureAwait(false);
                    deadlines.WriteEnded();
                    parts.Counters.CountSent(slice.Length);
                    bytes = bytes[slice.Length..];
                }
            }
        }
        catch (Exception e) when (IsBroken(e) || e is OperationCanceledException)
        {
            deadlines.WriteFailed();
        }
        catch (Exception e)
        {
            End(new MqttConnectException(MqttFault.Internal, inner: e));
        }
    }

    private void Ping()
    {
        Span<byte> packet = stackalloc byte[ControlForms.MaxFixedLength];
        if (!_queue.TryWriteControl(packet[..ControlForms.WritePingReq(packet)]))
            End(new MqttConnectException(MqttFault.SendQueueFull));
    }

    /// <summary>Nothing was sent for a while.</summary>
    private void OnIdle() => _queue.GiveBackIfIdle();

    private void End(MqttConnectException cause)
    {
        lock (_endLock)
        {
            if (_isEnded)
                return;
            (_isEnded, _end) = (true, cause);
        }

        _reading.Cancel();
        parts.Inbox.WakeReader();
    }

    /// <summary>Tells the broker why, where there is a point in it, and waits for these bytes for a bounded time.
    /// </summary>
    private async Task LeaveAsync()
    {
        // While a SUBSCRIBE is under way it may be the cause, and no suspect is.
        var isBlamed = _end is { BlamesPacket: true };
        var wasAsking = parts.Subscriptions.Detach(isBlamed);
        parts.Outbound.Detach(isBlamed && !wasAsking, _end?.Reason ?? MqttReasonCode.Success);
        _deadlines?.Dispose();
        var reason = FarewellOf(_end);
        if (_end is not null && reason is null)
            return;
        Complete(reason);
        var patience = _end is null ? parts.Options.Limits.DrainDeadline : FarewellTime;
        try
        {
            await _sending.WaitAsync(patience, parts.Time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The broker takes nothing: it hears of the end by TCP.
        }
    }

    /// <param name="reason">Null: what waits goes, and no DISCONNECT behind it.</param>
    private void Complete(MqttReasonCode? reason)
    {
        Span<byte> packet = stackalloc byte[ControlForms.MaxFixedLength];
        var length = reason is { } code ? ControlForms.WriteDisconnect(packet, Version, code) : 0;
        _queue.Complete(packet[..length]);
    }

    /// <summary>Null: the connection is gone, or 3.1.1, which has no way to say a fault or to ask for the Will.
    /// </summary>
    private MqttReasonCode? FarewellOf(MqttConnectException? end) => end?.Fault switch
    {
        // In 3.1.1 the Will goes where the connection ends without DISCONNECT.
        null when Version != MqttVersion.V5 && _farewell != MqttReasonCode.Success => null,
        null => _farewell,
        _ when Version != MqttVersion.V5 => null,
        MqttFault.MalformedPacket or MqttFault.InvalidText or MqttFault.UnknownPacketType =>
            MqttReasonCode.MalformedPacket,
        MqttFault.ProtocolError or MqttFault.UnknownAcknowledgement => MqttReasonCode.ProtocolError,
        MqttFault.PacketTooLarge => MqttReasonCode.PacketTooLarge,
        MqttFault.ReceiveMaximumExceeded => MqttReasonCode.ReceiveMaximumExceeded,
        MqttFault.TopicAliasInvalid => MqttReasonCode.TopicAliasInvalid,
        MqttFault.TopicNameInvalid => MqttReasonCode.TopicNameInvalid,
        MqttFault.InboxTimeout or MqttFault.AckTimeout => MqttReasonCode.UnspecifiedError,
        _ => null,
    };
}
