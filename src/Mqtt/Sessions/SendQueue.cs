using Gateway.Codec.Pooling;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Sessions;

/// <summary>
/// The bytes of one connection that wait for the socket, in two buffers: one is filled while the other is sent.
/// Publishes find it full at <c>MaxSendQueueBytes</c>, or take it alone; acknowledgements and pings have
/// <see cref="ControlBytes"/> more. Threads: any writes, the sending loop takes.
/// </summary>
internal sealed class SendQueue(int maxBytes, int maxPacketBytes) : IDisposable
{
    private const int ControlBytes = 64 * 1024;

    private readonly Lock _lock = new();
    private readonly AsyncSignal _signal = new();
    private PooledBuffer _filling = new(limitBytes: LimitOf(maxBytes, maxPacketBytes));
    private PooledBuffer _sending = new(limitBytes: LimitOf(maxBytes, maxPacketBytes));
    private bool _isComplete;
    private bool _isDisposed;

    public ValueTask WaitAsync() => _signal.WaitAsync();

    /// <summary>False: no room, or the connection has ended.</summary>
    public bool TryWrite(in PublishForm form)
    {
        lock (_lock)
        {
            var size = form.PacketLength;
            if (!MakeRoomUnderLock(size, maxBytes))
                return false;
            form.Write(_filling.FreeSpan);
            _filling.Advance((int)size);
        }

        _signal.Set();
        return true;
    }

    /// <summary>Also where publishes find no room any more.</summary>
    public bool TryWriteControl(ReadOnlySpan<byte> packet)
    {
        lock (_lock)
        {
            if (!MakeRoomUnderLock(packet.Length, LimitOf(maxBytes, maxPacketBytes)))
                return false;
            _filling.Write(packet);
        }

        _signal.Set();
        return true;
    }

    /// <summary>Nothing more is taken; the sending loop ends behind the last byte.</summary>
    public void Complete()
    {
        lock (_lock)
            _isComplete = true;
        _signal.Set();
    }

    /// <summary>The sending loop has sent the bytes of the last call.</summary>
    /// <param name="bytes">To be sent; valid until the next call. Empty: nothing waits.</param>
    /// <returns>False: nothing waits, and nothing will come.</returns>
    public bool TryTake(out ReadOnlyMemory<byte> bytes)
    {
        lock (_lock)
        {
            _sending.Reset();
            bytes = default;
            if (_isDisposed || (_isComplete && _filling.Length == 0))
                return false;
            (_filling, _sending) = (_sending, _filling);
            bytes = _sending.WrittenMemory;
            return true;
        }
    }

    /// <summary>By the sending loop, behind its last use.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            _isComplete = _isDisposed = true;
            _filling.Dispose();
            _sending.Dispose();
        }
    }

    private static int LimitOf(int maxBytes, int maxPacketBytes) =>
        (int)Math.Min(int.MaxValue / 2, (long)maxBytes + maxPacketBytes + ControlBytes);

    private bool MakeRoomUnderLock(long size, int limit)
    {
        if (_isComplete || (_filling.Length > 0 && _filling.Length + size > limit))
            return false;
        return size <= _filling.FreeSpan.Length || _filling.TryGrow(0, (int)size);
    }
}
