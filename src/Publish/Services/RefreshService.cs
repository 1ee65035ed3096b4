using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Delivery;
using Gateway.Publish.Items;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Services;

/// <summary>Does the work of ConditionRefresh and ConditionRefresh2: begins the refresh, which the shard's loop goes on
/// with in slices. Only items that report have one: an item that only samples would keep it for ever. Source: Part 9
/// §5.5.7, §5.5.8.</summary>
internal sealed class RefreshService(ConditionTable conditions, EventHub hub)
{
    private int _open;

    /// <summary>Refreshes that are under way.</summary>
    public int Open => Volatile.Read(ref _open);

    /// <summary>Errors: Bad_SubscriptionIdInvalid, also for another session's; Bad_MonitoredItemIdInvalid;
    /// Bad_NothingToDo without an item for events; Bad_RefreshInProgress; Bad_ResourceUnavailable where too many are
    /// under way.</summary>
    /// <param name="session">The caller.</param>
    /// <param name="subscriptionId">Of the call.</param>
    /// <param name="itemId">Null: all of them.</param>
    public StatusCode Refresh(PublishSession session, uint subscriptionId, uint? itemId)
    {
        lock (session.Shard.Lock)
        {
            if (session.Find(subscriptionId) is not { } subscription)
                return StatusCodes.BadSubscriptionIdInvalid;
            subscription.ResetLifetime();
            var status = FindItems(subscription, itemId, out var items);
            if (status.IsBad)
                return status;
            if (subscription.Refresh is { Open: > 0 })
                return StatusCodes.BadRefreshInProgress;
            if (Interlocked.Increment(ref _open) > conditions.Limits.MaxRefreshes)
            {
                Interlocked.Decrement(ref _open);
                return StatusCodes.BadResourceUnavailable;
            }

            var run = subscription.Refresh = new RefreshRun(hub, () => Interlocked.Decrement(ref _open));
            run.Begin();
            foreach (var item in items)
            {
                var feed = new RefreshFeed(conditions, hub, run, item.Extras.Event!.Filter);
                item.Extras.Event.BeginRefresh(feed);
                session.Shard.Events.FeedUnderLock(item);
            }

            run.Finish();
        }

        session.Shard.Wake();
        return StatusCode.Good;
    }

    private static StatusCode FindItems(Subscription subscription, uint? itemId, out List<MonitoredItem> items)
    {
        items = [];
        if (itemId is { } id)
        {
            if (subscription.Items.GetValueOrDefault(id) is not { } item || item.ExtrasOrNull?.Event is null)
                return StatusCodes.BadMonitoredItemIdInvalid;
            items.Add(item);
        }
        else
        {
            foreach (var item in subscription.Items.CopySlots())
            {
                if (item?.ExtrasOrNull?.Event is not null)
                    items.Add(item);
            }
        }

        if (items.Count == 0)
            return StatusCodes.BadNothingToDo;
        items.RemoveAll(static item =>
            item.Mode != MonitoringMode.Reporting || item.Extras.Event!.Group is null);
        return StatusCode.Good;
    }
}
