using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Sessions;

/// <summary>
/// The bytes of one connection that wait for the socket, in two buffers: one is filled while the other is sent. Both
/// keep their size until <see cref="GiveBackIfIdle"/>. Publishes find it full at <c>MaxSendQueueBytes</c>, or take it
/// alone; acknowledgements and pings have <see cref="ControlBytes"/> more. Threads: any writes, the sending loop takes.
/// </summary>
internal sealed class SendQueue(int maxBytes, int maxPacketBytes, ISendArrays arrays) : IDisposable
{
    private const int ControlBytes = 64 * 1024;

    private readonly Lock _lock = new();
    private readonly AsyncSignal _signal = new();
    private SendBuffer _filling = new(arrays);
    private SendBuffer _sending = new(arrays);
    private bool _isComplete;
    private bool _isDisposed;

    /// <summary>Of both arrays.</summary>
    public int CapacityBytes
    {
        get
        {
            lock (_lock)
                return _filling.CapacityBytes + _sending.CapacityBytes;
        }
    }

    public ValueTask WaitAsync() => _signal.WaitAsync();

    /// <summary>False: no room, no memory, or the connection has ended.</summary>
    public bool TryWrite(in PublishForm form)
    {
        lock (_lock)
        {
            var size = form.PacketLength;
            if (!MakeRoomUnderLock(size, maxBytes))
                return false;
            form.Write(_filling.Free);
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
            if (!MakeRoomUnderLock(packet.Length, ControlLimit))
                return false;
            packet.CopyTo(_filling.Free);
            _filling.Advance(packet.Length);
        }

        _signal.Set();
        return true;
    }

    /// <summary>Nothing more is taken; the sending loop ends behind the last byte.</summary>
    /// <param name="last">Stands behind all others, and nothing can slip behind it.</param>
    public void Complete(ReadOnlySpan<byte> last = default)
    {
        lock (_lock)
        {
            if (!last.IsEmpty && MakeRoomUnderLock(last.Length, ControlLimit))
            {
                last.CopyTo(_filling.Free);
                _filling.Advance(last.Length);
            }

            _isComplete = true;
        }

        _signal.Set();
    }

    /// <summary>The sending loop has sent the bytes of the last call.</summary>
    /// <param name="bytes">To be sent; valid until the next call. Empty: nothing waits.</param>
    /// <returns>False: nothing waits, and nothing will come.</returns>
    public bool TryTake(out ReadOnlyMemory<byte> bytes)
    {
        lock (_lock)
        {
            _sending.Clear();
            bytes = default;
            if (_isDisposed || (_isComplete && _filling.Length == 0))
                return false;
            (_filling, _sending) = (_sending, _filling);
            bytes = _sending.Written;
            return true;
        }
    }

    /// <summary>The connection was idle for a while: the arrays go back, unless there are bytes in them.</summary>
    public void GiveBackIfIdle()
    {
        lock (_lock)
        {
            // An empty one is not being sent: the sending loop holds only what has a length.
            if (_filling.Length > 0 || _sending.Length > 0)
                return;
            _filling.GiveBack();
            _sending.GiveBack();
        }
    }

    /// <summary>By the sending loop, behind its last use.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            _isComplete = _isDisposed = true;
            _filling.GiveBack();
            _sending.GiveBack();
        }
    }

    private int ControlLimit => (int)Math.Min(int.MaxValue / 2, (long)maxBytes + maxPacketBytes + ControlBytes);

    private bool MakeRoomUnderLock(long size, int limit)
    {
        if (_isComplete || (_filling.Length > 0 && _filling.Length + size > limit))
            return false;
        try
        {
            _filling.Reserve((int)size, maxBytes);
            return true;
        }
        catch (OutOfMemoryException)
        {
            // As a full one: the connection's timer tries again, and no publish is lost by it.
            return false;
        }
    }
}
