using Gateway.AddressSpace.Values;

namespace Gateway.Publish.Items;

/// <summary>
/// The queue of a monitored item. A queue of one entry is held in place and is overwritten without a flag; a longer one
/// is a ring that grows to its size. Every entry holds a reference to its value. Owner: the item, under its shard's
/// lock. Source: Part 4 §5.13.1.5.
/// </summary>
internal struct ItemQueue(int size)
{
    private QueuedValue _single;
    private QueuedValue[]? _ring;
    private int _head;

    public int Size { get; private set; } = size;

    public int Count { get; private set; }

    /// <summary>The oldest; the reference stays the queue's.</summary>
    public readonly QueuedValue Peek() => _ring is null ? _single : _ring[_head];

    /// <summary>Takes over the caller's reference.</summary>
    /// <param name="lossBefore">Values before this one were lost on the way: flagged as an overflow is.</param>
    /// <returns>True when a value was discarded for this one.</returns>
    public bool Enqueue(SharedValue value, bool discardOldest, bool lossBefore)
    {
        if (Size == 1)
        {
            var replaced = Count == 1;
            if (replaced)
                _single.Value!.Release();
            _single = new QueuedValue(value, Overflow: false);
            Count = 1;
            return replaced;
        }

        if (Count < Size)
        {
            Append(new QueuedValue(value, lossBefore));
            return false;
        }

        if (discardOldest)
        {
            Dequeue().Value!.Release();
            _ring![_head] = _ring[_head] with { Overflow = true };
            Append(new QueuedValue(value, lossBefore));
        }
        else
        {
            ref var newest = ref _ring![IndexOf(Count - 1)];
            newest.Value!.Release();
            newest = new QueuedValue(value, Overflow: true);
        }

        return true;
    }

    /// <summary>The oldest; its reference is the caller's.</summary>
    public QueuedValue Dequeue()
    {
        Count--;
        if (_ring is null)
        {
            var only = _single;
            _single = default;
            return only;
        }

        var oldest = _ring[_head];
        _ring[_head] = default;
        _head = IndexOf(1);
        return oldest;
    }

    public void Clear()
    {
        while (Count > 0)
            Dequeue().Value!.Release();
    }

    /// <summary>Another size; what no longer fits goes by the discard policy, flagged where the queue is longer than
    /// one.</summary>
    public void Resize(int size, bool discardOldest)
    {
        var kept = Math.Min(Count, size);
        var resized = new ItemQueue(size);
        var dropFirst = discardOldest || size == 1 ? Count - kept : 0;
        var lost = Count > kept;
        for (var i = 0; Count > 0; i++)
        {
            var entry = Dequeue();
            if (i < dropFirst || i >= dropFirst + kept)
            {
                entry.Value!.Release();
                continue;
            }

            var edge = discardOldest ? i == dropFirst : i == kept - 1;
            var overflow = size > 1 && (entry.Overflow || (lost && edge));
            resized.Put(entry with { Overflow = overflow });
        }

        this = resized;
    }

    private void Put(QueuedValue entry)
    {
        if (Size > 1)
        {
            Append(entry);
            return;
        }

        _single = entry;
        Count = 1;
    }

    private void Append(QueuedValue entry)
    {
        if (_ring is null)
            _ring = new QueuedValue[Math.Min(Size, 4)];
        else if (Count == _ring.Length)
            Grow();
        _ring[IndexOf(Count++)] = entry;
    }

    private readonly int IndexOf(int position)
    {
        var index = _head + position;
        return index < _ring!.Length ? index : index - _ring.Length;
    }

    private void Grow()
    {
        var grown = new QueuedValue[Math.Min(2 * _ring!.Length, Size)];
        for (var i = 0; i < Count; i++)
            grown[i] = _ring[IndexOf(i)];
        _ring = grown;
        _head = 0;
    }
}
