using Gateway.Admission.Caps;
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
    private readonly Lock _lock = new();
    private readonly Dictionary<string, int> _ofHolders = new(StringComparer.Ordinal);
    private int _open;

    /// <summary>Refreshes that are under way.</summary>
    public int Open => Volatile.Read(ref _open);

    /// <summary>Errors: Bad_SubscriptionIdInvalid, also for another session's; Bad_MonitoredItemIdInvalid;
    /// Bad_NothingToDo without an item for events; Bad_RefreshInProgress; Bad_ResourceUnavailable where too many are
    /// under way, of which the last sixth is kept for clients that have few (R46).</summary>
    /// <param name="consumer">The caller.</param>
    /// <param name="subscriptionId">Of the call.</param>
    /// <param name="itemId">Null: all of them.</param>
    public StatusCode Refresh(Consumer consumer, uint subscriptionId, uint? itemId)
    {
        using (consumer.Shard.Enter())
        {
            if (consumer.Find(subscriptionId) is not { } subscription)
                return StatusCodes.BadSubscriptionIdInvalid;
            subscription.ResetLifetime();
            var status = Check(subscription, itemId);
            if (status.IsBad)
                return status;
            if (subscription.Refresh is { Open: > 0 })
                return StatusCodes.BadRefreshInProgress;
            var holder = consumer.Owner.HolderKey;
            if (!TryEnter(holder))
                return StatusCodes.BadResourceUnavailable;
            var run = subscription.Refresh = RunOf(holder);
            run.Begin();
            foreach (var item in FindItems(subscription, itemId))
            {
                var feed = new RefreshFeed(conditions, hub, run, item.Extras.Event!.Filter);
                item.Extras.Event.BeginRefresh(feed);
                consumer.Shard.Events.FeedUnderLock(item);
            }

            run.Finish();
        }

        consumer.Shard.Wake();
        return StatusCode.Good;
    }

    /// <summary>Its closure is made here, and so not for a refresh that is refused.</summary>
    private RefreshRun RunOf(string holder) => new(hub, () => Leave(holder));

    private bool TryEnter(string holder)
    {
        lock (_lock)
        {
            var held = _ofHolders.GetValueOrDefault(holder);
            if (new FairCap(conditions.Limits.MaxConditionRefreshes).Judge(_open + 1, held) != CapVerdict.Granted)
                return false;
            _ofHolders[holder] = held + 1;
            Volatile.Write(ref _open, _open + 1);
            return true;
        }
    }

    private void Leave(string holder)
    {
        lock (_lock)
        {
            Volatile.Write(ref _open, _open - 1);
            if (--_ofHolders[holder] == 0)
                _ofHolders.Remove(holder);
        }
    }

    /// <summary>Costs the same however many items there are.</summary>
    private static StatusCode Check(Subscription subscription, uint? itemId)
    {
        if (itemId is { } id)
            return subscription.Items.GetValueOrDefault(id)?.ExtrasOrNull?.Event is null
                ? StatusCodes.BadMonitoredItemIdInvalid
                : StatusCode.Good;
        return subscription.Items.EventCount == 0 ? StatusCodes.BadNothingToDo : StatusCode.Good;
    }

    /// <summary>A subscription has one refresh at a time: so its items are looked through once for each.</summary>
    private static List<MonitoredItem> FindItems(Subscription subscription, uint? itemId)
    {
        var items = new List<MonitoredItem>();
        if (itemId is { } id)
        {
            items.Add(subscription.Items.GetValueOrDefault(id)!);
        }
        else
        {
            foreach (var item in subscription.Items)
            {
                if (item.ExtrasOrNull?.Event is not null)
                    items.Add(item);
                if (items.Count == subscription.Items.EventCount)
                    break;
            }
        }

        items.RemoveAll(static item =>
            item.Mode != MonitoringMode.Reporting || item.Extras.Event!.Group is null);
        return items;
    }
}
