using System.Numerics;
using Gateway.Codec.Pooling;

namespace Gateway.Publish.Subscriptions;

/// <summary>
/// The NotificationMessages of a subscription that are sent and not acknowledged, encoded, oldest first. Bounded by
/// count and by bytes; over a bound the oldest goes (the newest always stays). The arrays of messages that went are
/// kept for the next ones, large ones by the process's pool, so that the steady state allocates nothing. Owner: the
/// subscription; under its session's gate. Source: Part 4 §5.14.1.2.
/// </summary>
internal sealed class RetransmissionQueue(int maxMessages, int maxBytes)
{
    private const int KeptArrays = 2;

    /// <summary>Larger arrays are of <see cref="ByteArrays"/>: each subscription's own would be too much memory, and
    /// new ones for each message of a burst are the work of the collector.</summary>
    private const int KeptArrayBytes = 64 * 1024;

    private readonly byte[]?[] _idle = new byte[]?[KeptArrays];
    private Entry[] _entries = [];

    public int Count { get; private set; }

    /// <summary>Of the arrays that are held, those kept for the next messages too (R43).</summary>
    public long Bytes { get; private set; }

    /// <summary>Messages that were dropped unacknowledged.</summary>
    public long Dropped { get; private set; }

    public uint SequenceNumberAt(int position) => _entries[position].SequenceNumber;

    /// <summary>The bytes stay valid until the entry is acknowledged or dropped: under the gate.</summary>
    public bool TryGet(uint sequenceNumber, out ReadOnlySpan<byte> message)
    {
        for (var i = 0; i < Count; i++)
        {
            if (_entries[i].SequenceNumber != sequenceNumber)
                continue;
            message = _entries[i].Bytes.AsSpan(0, _entries[i].Length);
            return true;
        }

        message = default;
        return false;
    }

    /// <summary>Makes room for one more message, so that the sequence numbers that are announced with it are those that
    /// will be there. <paramref name="onlyNewest"/> when the whole server is short of room.</summary>
    public void MakeRoom(bool onlyNewest)
    {
        while (Count > 0 && (onlyNewest || Count >= maxMessages || Bytes >= maxBytes))
        {
            RemoveAt(0);
            Dropped++;
        }

        if (onlyNewest)
            DropIdle();
    }

    public void Add(uint sequenceNumber, ReadOnlySpan<byte> message)
    {
        if (Count == _entries.Length)
            Array.Resize(ref _entries, Math.Max(2, 2 * Count));
        var bytes = Rent(message.Length);
        message.CopyTo(bytes);
        _entries[Count++] = new Entry(sequenceNumber, bytes, message.Length);
    }

    /// <summary>False when there is no such message: Bad_SequenceNumberUnknown.</summary>
    public bool Acknowledge(uint sequenceNumber)
    {
        for (var i = 0; i < Count; i++)
        {
            if (_entries[i].SequenceNumber != sequenceNumber)
                continue;
            RemoveAt(i);
            return true;
        }

        return false;
    }

    public void Clear()
    {
        while (Count > 0)
            RemoveAt(Count - 1);
        DropIdle();
    }

    private void RemoveAt(int position)
    {
        var entry = _entries[position];
        Count--;
        Array.Copy(_entries, position + 1, _entries, position, Count - position);
        _entries[Count] = default;
        Keep(entry.Bytes);
    }

    private byte[] Rent(int length)
    {
        for (var i = 0; i < KeptArrays; i++)
        {
            var idle = _idle[i];
            if (idle is null || idle.Length < length)
                continue;
            _idle[i] = null;
            return idle;
        }

        var made = length > KeptArrayBytes
            ? ByteArrays.Rent(length)
            : new byte[Math.Max(128, BitOperations.RoundUpToPowerOf2((uint)length))];
        Bytes += made.Length;
        return made;
    }

    private void DropIdle()
    {
        foreach (ref var idle in _idle.AsSpan())
        {
            Bytes -= idle?.Length ?? 0;
            idle = null;
        }
    }

    /// <summary>The smallest one that is kept makes way for a larger one.</summary>
    private void Keep(byte[] bytes)
    {
        if (bytes.Length > KeptArrayBytes)
        {
            Bytes -= bytes.Length;
            ByteArrays.Return(bytes);
            return;
        }

        var smallest = 0;
        for (var i = 1; i < KeptArrays; i++)
        {
            if ((_idle[i]?.Length ?? 0) < (_idle[smallest]?.Length ?? 0))
                smallest = i;
        }

        var gone = (_idle[smallest]?.Length ?? 0) < bytes.Length ? _idle[smallest] : bytes;
        Bytes -= gone?.Length ?? 0;
        if (gone != bytes)
            _idle[smallest] = bytes;
    }

    private readonly record struct Entry(uint SequenceNumber, byte[] Bytes, int Length);
}
