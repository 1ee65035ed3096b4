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

    /// <summary>The newest record that has left memory unread, and that nobody has; 0: there is none.</summary>
    public long Unread
    {
        get
        {
            var at = tail.UnreadBelow - 1;
            while (true)
            {
                at = done.PreviousMissing(at);
                if (at <= done.Mark)
                    return 0;
                var below = hands.Contains(at) ? at - 1 : ahead.Below(at);
                if (below == at)
                    return at;
                at = below;
            }
        }
    }

    /// <summary>Leaves what a consumer has fallen behind with to the disk.</summary>
    public void Skip() => tail.SkipToNewest(BlocksInOrder);

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
}
