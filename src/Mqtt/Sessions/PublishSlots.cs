using Gateway.Mqtt.Messages;

namespace Gateway.Mqtt.Sessions;

/// <summary>The QoS 1 messages in flight, bounded in number and bytes. A packet identifier names its slot, and moves on
/// with each message of the slot, so that a late or repeated PUBACK hits no newer message. Threads: under the session's
/// lock.</summary>
internal sealed class PublishSlots
{
    /// <summary>Identifiers above it belong to SUBSCRIBE and UNSUBSCRIBE.</summary>
    public const int LastIdentifier = 0xEFFF;

    private readonly PublishSlot[] _slots;
    private readonly int[] _generations;
    private readonly Ring<int> _free;
    private readonly int _maxBytes;
    private long _order;

    public PublishSlots(int count, int maxBytes)
    {
        _maxBytes = maxBytes;
        _slots = new PublishSlot[count];
        _generations = new int[count];
        _free = new Ring<int>(count);
        for (var i = 0; i < count; i++)
        {
            _slots[i] = new PublishSlot(i);
            _free.Enqueue(i);
        }
    }

    public int Count => _slots.Length - _free.Count;

    public int Bytes { get; private set; }

    public PublishSlot this[int index] => _slots[index];

    /// <summary>In the order of their first admission. It allocates: for reconnects.</summary>
    public IEnumerable<PublishSlot> Taken() => _slots.Where(slot => slot.IsTaken).OrderBy(slot => slot.Order);

    public bool HasRoomFor(in MqttMessage message) =>
        _free.Count > 0 && (Bytes == 0 || (long)Bytes + PublishSlot.SizeOf(message) <= _maxBytes);

    /// <summary>There must be room.</summary>
    public PublishSlot Take(in MqttMessage message, PublishCompletion completion)
    {
        var index = _free.Head;
        _free.Dequeue();
        var generation = _generations[index];
        var identifier = index + 1 + (generation * _slots.Length);
        _generations[index] = identifier + _slots.Length > LastIdentifier ? 0 : generation + 1;
        var slot = _slots[index];
        slot.Take(message, completion, (ushort)identifier, ++_order);
        Bytes += slot.Length;
        return slot;
    }

    /// <summary>Null: no message waits for this identifier.</summary>
    public PublishSlot? Find(ushort packetIdentifier)
    {
        if (packetIdentifier is 0 or > LastIdentifier)
            return null;
        var slot = _slots[(packetIdentifier - 1) % _slots.Length];
        return slot.IsTaken && slot.PacketIdentifier == packetIdentifier ? slot : null;
    }

    public PublishCompletion Free(PublishSlot slot)
    {
        Bytes -= slot.Length;
        _free.Enqueue(slot.Index);
        return slot.Free();
    }

    /// <summary>Timestamp of the message that has waited longest for its PUBACK; 0: none.</summary>
    public long OldestSentAt()
    {
        var oldest = 0L;
        foreach (var slot in _slots)
        {
            if (slot.IsTaken && slot.SentAt != 0 && (oldest == 0 || slot.SentAt < oldest))
                oldest = slot.SentAt;
        }

        return oldest;
    }

    /// <summary>Timestamp of the oldest publish among them; 0: none.</summary>
    public long OldestStartedAt()
    {
        var oldest = 0L;
        foreach (var slot in _slots)
        {
            if (slot.Completion is { } completion && (oldest == 0 || completion.StartedAt < oldest))
                oldest = completion.StartedAt;
        }

        return oldest;
    }
}
