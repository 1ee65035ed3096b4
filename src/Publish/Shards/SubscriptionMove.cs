using Gateway.Publish.Items;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Shards;

/// <summary>
/// Takes a subscription from its session to another one, which may be on another shard. No value is lost: the new
/// shard hears of each node's changes before the old one's inbox is emptied and the items change over; what both have
/// heard is passed over by its version. A value that its producer has set and not yet committed comes from the store.
/// </summary>
internal static class SubscriptionMove
{
    /// <summary>Slices of the old shard's changes that are worked off first; behind a producer that is faster than this
    /// values coalesce, flagged as an overflow.</summary>
    private const int MaxSlices = 256;

    /// <summary>Under both shards' locks.</summary>
    public static void MoveUnderLocks(Subscription subscription, PublishSession to, long now)
    {
        var from = subscription.Session;
        from.Shard.UnscheduleUnderLock(subscription);
        from.ForgetDueUnderLock(subscription);
        var wasReady = subscription.LeaveUnderLock();
        if (!ReferenceEquals(from.Shard, to.Shard))
            MoveItems(subscription, from.Shard, to.Shard, now);
        lock (from.Gate)
            from.Subscriptions.Remove(subscription);
        lock (to.Gate)
        {
            subscription.Session = to;
            to.Subscriptions.Add(subscription);
            to.Waiting |= wasReady;
        }

        subscription.JoinUnderLock(wasReady);
        to.Shard.ScheduleUnderLock(subscription);
    }

    private static void MoveItems(Subscription subscription, Shard from, Shard to, long now)
    {
        foreach (var item in subscription.Items)
        {
            if (item.WatchesValue)
                to.Store.Attach(item.Node, to.Inbox.Shard);
        }

        for (var slice = 0; slice < MaxSlices && from.Changes.StepUnderLock(now); slice++)
        {
        }

        foreach (var item in subscription.Items)
        {
            if (item.WatcherIndex >= 0)
                MoveItem(item, from, to, now);
        }
    }

    private static void MoveItem(MonitoredItem item, Shard from, Shard to, long now)
    {
        from.Changes.UnwatchUnderLock(item);
        to.Changes.WatchUnderLock(item);
        if (!item.WatchesValue || to.Store.Acquire(item.Node) is not { } current)
            return;
        item.CatchUp(current, now);
        current.Release();
    }
}
