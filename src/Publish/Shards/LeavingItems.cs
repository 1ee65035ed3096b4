using Gateway.Publish.Quotas;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Shards;

/// <summary>The items that removed subscriptions have left behind. The items of a small one leave with it; those of a
/// larger one follow in slices of the shard's lock, and go on being counted until they have left. Owner: the
/// shard.</summary>
internal sealed class LeavingItems(Shard shard, QuotaBook quotas)
{
    private const int ItemsAtOnce = 256;
    private const int ItemsPerSlice = 1024;

    private readonly Queue<Subscription> _waiting = new();

    public void AddUnderLock(Subscription subscription)
    {
        if (subscription.Items.Count <= ItemsAtOnce)
        {
            var most = ItemsAtOnce;
            LetLeaveUnderLock(subscription, ref most);
            return;
        }

        subscription.Consumer.LeavingSubscriptions++;
        _waiting.Enqueue(subscription);
        shard.Wake();
    }

    /// <summary>For a newcomer that needs room: one slice ahead of the loop. False: nothing is left.</summary>
    public bool TryStep()
    {
        using (shard.Enter())
        {
            if (_waiting.Count == 0)
                return false;
            Step();
            return true;
        }
    }

    /// <summary>One slice. True when there is more.</summary>
    public bool Step()
    {
        lock (shard.Lock)
        {
            var most = ItemsPerSlice;
            while (most > 0 && _waiting.TryPeek(out var subscription))
            {
                if (!LetLeaveUnderLock(subscription, ref most))
                    continue;
                _waiting.Dequeue();
                subscription.Consumer.LeavingSubscriptions--;
                subscription.Consumer.LeaveHoldersUnderLock();
            }

            return _waiting.Count > 0;
        }
    }

    /// <summary>True when none is left.</summary>
    private bool LetLeaveUnderLock(Subscription subscription, ref int most)
    {
        for (; most > 0; most--)
        {
            if (!subscription.Items.TryTakeLast(out var item))
                return true;
            shard.Changes.UnwatchUnderLock(item);
            item.Clear();
            shard.Events.ReleaseUnderLock(item);
            subscription.QueueCapacity -= item.Queue.Size;
            quotas.ReleaseItem(subscription.Consumer, item.Queue.Size);
        }

        return subscription.Items.Count == 0;
    }
}
