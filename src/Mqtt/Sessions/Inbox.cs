using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;

namespace Gateway.Mqtt.Sessions;

/// <summary>
/// Messages that wait for their handlers, bounded in number and bytes. When it is full, QoS 0 is dropped and counted,
/// and QoS 1 makes the reading loop wait, which the broker notices by TCP. Owner: the client. Threads: the reading loop
/// puts, the handling loop takes.
/// </summary>
internal sealed class Inbox(MqttLimits limits, MqttCounters counters)
{
    private readonly Lock _lock = new();
    private readonly Ring<InboundMessage> _messages = new(limits.MaxInboxMessages);
    private readonly AsyncSignal _arrived = new();
    private readonly AsyncSignal _room = new();
    private int _bytes;
    private bool _isClosed;

    public int Bytes
    {
        get
        {
            lock (_lock)
                return _bytes;
        }
    }

    /// <summary>False: it is full and the message is of QoS 1; put it again after <see cref="RoomAsync"/>.</summary>
    public bool TryPut(in PublishPacket packet, long connection)
    {
        lock (_lock)
        {
            var isFull = _messages.IsFull
                || (_bytes > 0 && (long)_bytes + InboundMessage.SizeOf(packet) > limits.MaxInboxBytes);
            if (isFull && packet.Qos != MqttQos.AtMostOnce)
                return false;
            counters.CountReceived();
            if (isFull || _isClosed)
            {
                counters.CountDroppedInbound();
                return true;
            }

            var message = new InboundMessage(packet, connection);
            _bytes += message.Length;
            _messages.Enqueue(message);
        }

        _arrived.Set();
        return true;
    }

    public ValueTask RoomAsync() => _room.WaitAsync();

    public ValueTask ArrivedAsync() => _arrived.WaitAsync();

    /// <summary>False: it is empty. The message counts as held until <see cref="Release"/>.</summary>
    public bool TryTake(out InboundMessage message)
    {
        lock (_lock)
        {
            message = default;
            if (_messages.Count == 0)
                return false;
            message = _messages.Head;
            _messages.Dequeue();
            return true;
        }
    }

    public void Release(InboundMessage message)
    {
        message.Release();
        lock (_lock)
            _bytes -= message.Length;
        _room.Set();
    }

    /// <summary>Wakes a reading loop that waits for room, so that it sees the end of its connection.</summary>
    public void WakeReader() => _room.Set();

    public bool IsClosed
    {
        get
        {
            lock (_lock)
                return _isClosed;
        }
    }

    /// <summary>Messages without a handler are dropped; the handling loop ends.</summary>
    public void Close()
    {
        lock (_lock)
        {
            _isClosed = true;
            for (; _messages.Count > 0; _messages.Dequeue())
            {
                _bytes -= _messages.Head.Length;
                _messages.Head.Release();
            }
        }

        _arrived.Set();
        _room.Set();
    }
}
