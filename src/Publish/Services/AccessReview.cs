using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Services;

/// <summary>
/// Holds the items of a subscription against what its session's user may read by now: after a transfer, and after the
/// session has got another user. An item that he may not read keeps nothing, watches nothing and reports the refusal
/// once; it starts anew when a later user may read it. Source: R16, R36.
/// </summary>
internal sealed class AccessReview(PublishEngine engine, ItemStart start)
{
    public void ReviewUnderLock(Subscription subscription)
    {
        var access = subscription.Session.Access;
        var isAnyDenied = false;
        foreach (var item in subscription.Items.Values)
        {
            var status = access.CheckMonitor(item.Node, item.Attribute);
            if (!status.IsBad)
            {
                AllowUnderLock(subscription, item);
            }
            else if (!item.Denied.IsBad)
            {
                DenyUnderLock(subscription, item, status);
                isAnyDenied = true;
            }
        }

        if (isAnyDenied)
            DropKeptUnderLock(subscription);
    }

    private void AllowUnderLock(Subscription subscription, MonitoredItem item)
    {
        if (!item.Denied.IsBad)
            return;
        item.Denied = StatusCode.Good;
        StartUnderLock(subscription, item);
    }

    private void DenyUnderLock(Subscription subscription, MonitoredItem item, StatusCode status)
    {
        subscription.Shard.Changes.UnwatchUnderLock(item);
        item.Clear();
        item.Denied = status;
        StartUnderLock(subscription, item);
    }

    private void StartUnderLock(Subscription subscription, MonitoredItem item)
    {
        if (item.Mode == MonitoringMode.Disabled)
            return;
        var initial = item.Denied.IsBad ? null : start.FindInitial(item.Node, item.Attribute);
        start.StartUnderLock(subscription.Shard, item, initial);
    }

    /// <summary>They may hold values that must not be repeated any more.</summary>
    private void DropKeptUnderLock(Subscription subscription)
    {
        lock (subscription.Session.Gate)
        {
            engine.Counters.AddRetransmissionBytes(-subscription.Retransmission.Bytes);
            subscription.Retransmission.Clear();
        }
    }
}
