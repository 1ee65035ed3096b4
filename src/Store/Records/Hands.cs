namespace Gateway.Store.Records;

/// <summary>Messages in the consumer's hands, and those that it gave back. Threads: under the log's lock.</summary>
internal sealed class Hands(BlockPool pool, int max)
{
    private readonly Dictionary<long, Hand> _hands = new(max);
    private readonly PriorityQueue<long, long> _returned = new();
    private int _returnedCount;

    /// <summary>Without those that were given back.</summary>
    public int Count => _hands.Count - _returnedCount;

    public bool IsFull => Count >= max;

    public bool Contains(long sequence) => _hands.ContainsKey(sequence);

    public void Take(long sequence, Block block, int offset)
    {
        block.References++;
        _hands.Add(sequence, new Hand(block, offset, IsReturned: false));
    }

    /// <summary>False: it was not here.</summary>
    public bool TryEnd(long sequence, out RecordHeader header)
    {
        header = default;
        if (!_hands.Remove(sequence, out var hand))
            return false;
        if (hand.IsReturned)
            _returnedCount--;
        header = hand.Block.HeaderAt(hand.Offset);
        pool.Release(hand.Block);
        return true;
    }

    public bool TryReturn(long sequence)
    {
        if (!_hands.TryGetValue(sequence, out var hand) || hand.IsReturned)
            return false;
        _hands[sequence] = hand with { IsReturned = true };
        _returned.Enqueue(sequence, sequence);
        _returnedCount++;
        return true;
    }

    /// <summary>The oldest that was given back. It is in the consumer's hands again.</summary>
    public bool TryTakeReturned(out Block block, out int offset)
    {
        while (_returned.TryDequeue(out var sequence, out _))
        {
            // It may have been acknowledged after all.
            if (!_hands.TryGetValue(sequence, out var hand) || !hand.IsReturned)
                continue;
            _hands[sequence] = hand with { IsReturned = false };
            _returnedCount--;
            (block, offset) = (hand.Block, hand.Offset);
            return true;
        }

        (block, offset) = (null!, 0);
        return false;
    }

    /// <summary>The first message of these that is here; <see cref="long.MaxValue"/>: none is.</summary>
    public long FirstOf(long from, long to)
    {
        var first = long.MaxValue;
        foreach (var sequence in _hands.Keys)
        {
            if (sequence >= from && sequence <= to)
                first = Math.Min(first, sequence);
        }

        return first;
    }

    public long? TicksOf(long sequence) =>
        _hands.TryGetValue(sequence, out var hand) ? hand.Block.HeaderAt(hand.Offset).Ticks : null;

    private readonly record struct Hand(Block Block, int Offset, bool IsReturned);
}
