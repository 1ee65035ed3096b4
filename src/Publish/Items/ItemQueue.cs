using Gateway.AddressSpace.Values;

namespace Gateway.Publish.Items;

/// <summary>
/// The queue of a monitored item in one word: nothing, the value of a queue of one (which is overwritten without an
/// Overflow bit), or an <see cref="ItemRing"/>. Every entry holds a reference to its value. When an entry is discarded,
/// its semantics and structure bits go to its neighbour: the client must get them. Owner: the item, under its shard's
/// lock. Source: Part 4 §5.13.1.5.
/// </summary>
internal struct ItemQueue(int size)
{
    private const NotificationBits Inherited = NotificationBits.SemanticsChanged | NotificationBits.StructureChanged;

    private object? _content = size > 1 ? new ItemRing(size) : null;

    public readonly int Size => _content is ItemRing ring ? ring.Size : 1;

    public readonly int Count => _content switch
    {
        null => 0,
        ItemRing ring => ring.Count,
        _ => 1,
    };

    /// <summary>Entries that it has memory for.</summary>
    public readonly int Capacity => _content is ItemRing ring ? ring.Capacity : 1;

    /// <summary>The oldest; the reference stays the queue's.</summary>
    public readonly QueuedValue Peek() => _content is ItemRing ring ? ring[0] : Single();

    /// <summary>The reference stays the queue's.</summary>
    /// <param name="position">0 is the oldest.</param>
    public readonly QueuedValue At(int position) => _content is ItemRing ring ? ring[position] : Single();

    /// <summary>In a queue of more than one. Another entry's semantics and structure bits are inherited.</summary>
    /// <param name="position">0 is the oldest.</param>
    /// <param name="lost">Bits of the entry that has gone.</param>
    public readonly void FlagOverflow(int position, NotificationBits lost)
    {
        ref var entry = ref ((ItemRing)_content!)[position];
        entry = entry with { Bits = entry.Bits | NotificationBits.Overflow | (lost & Inherited) };
    }

    /// <summary>Of a queue of more than one; its reference is the caller's.</summary>
    public readonly QueuedValue TakeNewest() => ((ItemRing)_content!).TakeLast();

    /// <summary>Takes over the caller's reference.</summary>
    /// <param name="bits">Overflow: values before this one were lost on the way.</param>
    /// <returns>True when a value was discarded for this one.</returns>
    public bool Enqueue(SharedValue value, bool discardOldest, NotificationBits bits)
    {
        if (_content is not ItemRing ring)
            return Replace(value, bits);
        if (ring.Count < ring.Size)
        {
            ring.Append(new QueuedValue(value, bits));
            return false;
        }

        if (discardOldest)
        {
            var gone = ring.TakeFirst();
            gone.Value.Release();
            ring.Append(new QueuedValue(value, bits));
            ref var oldest = ref ring[0];
            oldest = oldest with { Bits = oldest.Bits | NotificationBits.Overflow | (gone.Bits & Inherited) };
        }
        else
        {
            ref var newest = ref ring[ring.Count - 1];
            newest.Value.Release();
            newest = new QueuedValue(value, bits | NotificationBits.Overflow | (newest.Bits & Inherited));
        }

        return true;
    }

    /// <summary>For a large value of which no more may be held (<see cref="PublishLimits.MaxQueuedValueBytes"/>): at
    /// least as many bytes leave as come, by the discard policy. Takes over the caller's reference.</summary>
    public bool EnqueueInPlace(SharedValue value, bool discardOldest, NotificationBits bits)
    {
        if (_content is not ItemRing { Count: > 0 } ring)
            return Enqueue(value, discardOldest, bits);
        if (!discardOldest && ring[ring.Count - 1].Value.LargeBytes < value.LargeBytes)
        {
            // In place of a smaller one it would be one more: it is what goes.
            value.Release();
            ref var newest = ref ring[ring.Count - 1];
            newest = newest with { Bits = newest.Bits | NotificationBits.Overflow | (bits & Inherited) };
            return true;
        }

        if (!discardOldest)
        {
            var last = ring.TakeLast();
            last.Value.Release();
            ring.Append(new QueuedValue(value, bits | NotificationBits.Overflow | (last.Bits & Inherited)));
            return true;
        }

        for (var left = value.LargeBytes; left > 0 && ring.Count > 0;)
        {
            var gone = ring.TakeFirst();
            left -= gone.Value.LargeBytes;
            gone.Value.Release();
            bits |= gone.Bits & Inherited;
        }

        ring.Append(new QueuedValue(value, ring.Count == 0 ? bits | NotificationBits.Overflow : bits));
        ref var oldest = ref ring[0];
        oldest = oldest with { Bits = oldest.Bits | NotificationBits.Overflow };
        return true;
    }

    /// <summary>The oldest; its reference is the caller's.</summary>
    public QueuedValue Dequeue()
    {
        if (_content is ItemRing ring)
            return ring.TakeFirst();
        var only = Single();
        _content = null;
        return only;
    }

    public void Clear()
    {
        while (Count > 0)
            Dequeue().Value.Release();
    }

    /// <summary>Another size; values that no longer fit go by the discard policy (the newest stays in a queue of one),
    /// flagged where the queue is longer than one.</summary>
    public void Resize(int size, bool discardOldest)
    {
        if (size == Size)
            return;
        var old = this;
        this = new ItemQueue(size);
        var dropped = Math.Max(0, old.Count - size);
        if (size == 1 || discardOldest)
            TakeAll(ref old, dropped);
        else
            TakeFirst(ref old, size, dropped);
    }

    /// <summary>Without the oldest; the first that stays says so.</summary>
    private void TakeAll(ref ItemQueue old, int dropped)
    {
        var bits = dropped > 0 ? NotificationBits.Overflow : NotificationBits.None;
        while (old.Count > 0)
        {
            var entry = old.Dequeue();
            if (dropped-- > 0)
            {
                bits |= entry.Bits & Inherited;
                entry.Value.Release();
                continue;
            }

            Enqueue(entry.Value, discardOldest: true, entry.Bits | bits);
            bits = NotificationBits.None;
        }
    }

    /// <summary>Without the newest; the last that stays says so.</summary>
    private void TakeFirst(ref ItemQueue old, int kept, int dropped)
    {
        while (old.Count > 0 && Count < kept)
        {
            var entry = old.Dequeue();
            Enqueue(entry.Value, discardOldest: false, entry.Bits);
        }

        if (dropped == 0)
            return;
        var bits = NotificationBits.Overflow;
        while (old.Count > 0)
        {
            var gone = old.Dequeue();
            bits |= gone.Bits & Inherited;
            gone.Value.Release();
        }

        var ring = (ItemRing)_content!;
        ref var last = ref ring[ring.Count - 1];
        last = last with { Bits = last.Bits | bits };
    }

    private bool Replace(SharedValue value, NotificationBits bits)
    {
        var replaced = _content is not null;
        if (replaced)
        {
            var gone = Single();
            bits |= gone.Bits;
            gone.Value.Release();
        }

        bits &= Inherited;
        _content = bits == NotificationBits.None ? value : new FlaggedValue(new QueuedValue(value, bits));
        return replaced;
    }

    private readonly QueuedValue Single() => _content is SharedValue value
        ? new QueuedValue(value, NotificationBits.None)
        : ((FlaggedValue)_content!).Entry;
}
