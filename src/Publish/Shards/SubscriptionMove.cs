using Gateway.AddressSpace.Values;
using Gateway.Events.Delivery;
using Gateway.Publish.Items;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Shards;

/// <summary>
/// Takes a subscription from its session to another one, which may be on another shard: it leaves its session, its
/// items change over, it arrives. The items of a large one do so in several slices of both shards' locks; between them
/// it has no owner (no service finds it, no sweep sends it), and changes for the items that have gone ahead wait in
/// <see cref="AwayChanges"/>. No value is lost: the new shard hears of a node's changes before the old one's inbox is
/// emptied and the item changes over; a change that both have heard is passed over by its version. A value that its
/// producer has set and not yet committed comes from the store. All members under both shards' locks.
/// </summary>
internal sealed class SubscriptionMove(Subscription subscription, PublishSession to)
{
    /// <summary>Slices of the old shard's changes that are handled first. Behind a producer that is faster than this,
    /// values coalesce, flagged as an overflow.</summary>
    private const int MaxSlices = 64;

    private readonly Consumer _from = subscription.Consumer;
    private readonly Queue<(MonitoredItem Item, SharedValue? Current, EventGroup? Expected)> _slice = new();
    private MonitoredItem?[] _items = [];
    private int _next;
    private bool _wasReady;

    /// <param name="inSlices">The locks are given up before it has arrived.</param>
    public void DepartUnderLocks(bool inSlices)
    {
        _from.Shard.UnscheduleUnderLock(subscription);
        _from.ForgetDueUnderLock(subscription);
        _wasReady = subscription.LeaveUnderLock();
        lock (_from.Gate)
            _from.Subscriptions.Remove(subscription);
        // Its amounts still count for the old owner and count for the new one already.
        _from.LeavingSubscriptions++;
        to.LeavingSubscriptions++;
        if (inSlices)
            subscription.Away = new AwayChanges();
        if (!ReferenceEquals(_from.Shard, to.Shard))
            _items = subscription.Items.CopySlots();
    }

    /// <summary>So many more items change over. True: all have.</summary>
    public bool MoveUnderLocks(int most, long now)
    {
        var hasEvents = false;
        for (; _next < _items.Length; _next++)
        {
            if (_items[_next] is not { WatcherIndex: >= 0 } item)
                continue;
            if (_slice.Count == most)
                break;
            // From now on the new shard's inbox has the item's events; those that it has by then come from the old one.
            var expected = item.ExtrasOrNull?.Event is { Group: not null }
                ? to.Shard.Events.ExpectUnderLock(item)
                : null;
            hasEvents |= expected is not null;
            _slice.Enqueue((item, Attach(item), expected));
        }

        for (var slice = 0; _slice.Count > 0 && slice < MaxSlices && _from.Shard.Changes.StepUnderLock(); slice++)
        {
        }

        var isBehind = hasEvents && !_from.Shard.Events.CatchUpUnderLock();
        subscription.Away?.TakeInUnderLocks(_from.Shard.Values);
        while (_slice.TryDequeue(out var next))
        {
            if (isBehind && next.Expected is not null)
                next.Item.OnEventsLost(hasConditions: true);
            MoveItem(next.Item, next.Current, now);
            if (next.Expected is { } expected)
                to.Shard.Events.EndExpectUnderLock(expected);
        }

        return _next == _items.Length;
    }

    public void ArriveUnderLocks()
    {
        subscription.Away?.TakeInUnderLocks(_from.Shard.Values);
        subscription.Away = null;
        _from.LeavingSubscriptions--;
        to.LeavingSubscriptions--;
        lock (to.Gate)
        {
            subscription.Consumer = to;
            to.Subscriptions.Add(subscription);
            to.Waiting |= _wasReady;
        }

        subscription.JoinUnderLock(_wasReady);
        to.Shard.ScheduleUnderLock(subscription);
    }

    /// <summary>From now on the new shard hears of the node's changes. Returns the value as it is now: neither inbox
    /// will bring an older change that is not committed yet; the new one brings newer changes. A later read of the
    /// store would pass over the changes in between.</summary>
    private SharedValue? Attach(MonitoredItem item)
    {
        if (!item.WatchesValue)
            return null;
        to.Shard.Store.Attach(item.Node, to.Shard.Inbox.Shard);
        return to.Shard.Store.Acquire(item.Node);
    }

    private void MoveItem(MonitoredItem item, SharedValue? current, long now)
    {
        _from.Shard.Changes.UnwatchUnderLock(item);
        to.Shard.Changes.WatchUnderLock(item);
        if (current is not null)
        {
            item.CatchUp(current, now, _from.Shard.Values);
            current.Release();
        }

        item.IsAway = subscription.Away is not null;
    }
}
