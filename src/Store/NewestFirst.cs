using Gateway.Store.Marks;
using Gateway.Store.Records;

namespace Gateway.Store;

/// <summary>The choice of the next record from the disk with <see cref="ReadOrder.NewestFirst"/>. It remembers nothing
/// but what is done with, in the consumer's hands or read ahead, so that a process that opens the directory again goes
/// on alike. Threads: under the log's lock.</summary>
internal sealed class NewestFirst(SequenceSet done, Hands hands, Ahead ahead, Tail tail)
{
    /// <summary>A consumer that is not further behind than so many blocks gets them in order.</summary>
    private const int BlocksInOrder = 4;

    private long _aheadOf;

    /// <summary>The newest record that has left memory unread, and that nobody has; 0: there is none. While the marks
    /// file has no room for many more holes, the newest of the lowest hole: that fills one and makes none.</summary>
    public long Unread => Ledger.IsCrowded(done) ? NewestOfLowestHole() : NewestOf(done.Mark + 1, tail.UnreadBelow - 1);

    /// <summary>Leaves what a consumer has fallen behind with to the disk: a hole more.</summary>
    public void Skip()
    {
        if (!Ledger.IsCrowded(done))
            tail.SkipToNewest(BlocksInOrder);
    }

    /// <summary>A block was read ahead, or none.</summary>
    public void Added(Block? block)
    {
        if (ahead.Newest == block?.Last)
            _aheadOf = tail.UnreadBelow;
    }

    /// <summary>Records that were read ahead while they were the newest are not, once newer ones have left memory.
    /// True: they were given back.</summary>
    public bool DropOlder()
    {
        if (_aheadOf == tail.UnreadBelow)
            return false;
        _aheadOf = tail.UnreadBelow;
        if (ahead.Newest == 0 || Unread < ahead.Newest)
            return false;
        ahead.Clear();
        return true;
    }

    /// <summary>Of these records; 0: none.</summary>
    private long NewestOf(long from, long to)
    {
        for (var at = to; ;)
        {
            at = done.PreviousMissing(at);
            if (at < from)
                return 0;
            var below = hands.Contains(at) ? at - 1 : ahead.Below(at);
            if (below == at)
                return at;
            at = below;
        }
    }

    private long NewestOfLowestHole()
    {
        for (var from = done.Mark + 1; from < tail.UnreadBelow;)
        {
            var to = Math.Min(done.LastMissing(from), tail.UnreadBelow - 1);
            var found = NewestOf(from, to);
            if (found > 0)
                return found;
            from = done.NextMissing(to + 1);
        }

        return 0;
    }
}
