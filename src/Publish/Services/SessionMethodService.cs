using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Shards;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Services;

/// <summary>Does the work of the methods GetMonitoredItems and ResendData of the Server object; they serve the
/// session's own subscriptions only. Source: Part 5 §9.1, §9.2.</summary>
internal sealed class SessionMethodService(SubscriptionTable table)
{
    /// <summary>Errors: Bad_SubscriptionIdInvalid; Bad_UserAccessDenied for another session's.</summary>
    public StatusCode GetMonitoredItems(
        PublishSession session, uint subscriptionId, out uint[] serverHandles, out uint[] clientHandles)
    {
        MonitoredItem?[]? items = null;
        var count = 0;
        using (session.Shard.Enter())
        {
            if (session.Find(subscriptionId) is { } subscription)
            {
                subscription.ResetLifetime();
                (items, count) = (subscription.Items.CopySlots(), subscription.Items.Count);
            }
        }

        (serverHandles, clientHandles) = items is null ? ([], []) : HandlesOf(items, count);
        return items is null ? NotMine(subscriptionId) : StatusCode.Good;
    }

    /// <summary>Errors: as <see cref="GetMonitoredItems"/>.</summary>
    public StatusCode ResendData(PublishSession session, uint subscriptionId, out int items)
    {
        items = 0;
        using (session.Shard.Enter())
        {
            if (session.Find(subscriptionId) is { } subscription)
            {
                subscription.ResetLifetime();
                items = subscription.Items.Count;
                var atOnce = ItemVisits.ItemsAtOnce;
                session.Shard.Visits.BeginUnderLock(subscription, ItemVisitKinds.Resend, ref atOnce);
                return StatusCode.Good;
            }
        }

        return NotMine(subscriptionId);
    }

    /// <summary>Without a lock: an id never changes, and a handle is one word.</summary>
    private static (uint[] ServerHandles, uint[] ClientHandles) HandlesOf(MonitoredItem?[] items, int count)
    {
        var server = new uint[count];
        var client = new uint[count];
        var i = 0;
        foreach (var item in items)
        {
            if (item is not null)
                (server[i], client[i++]) = (item.Id, item.ClientHandle);
        }

        return (server, client);
    }

    private StatusCode NotMine(uint subscriptionId) => table.Find(subscriptionId) is null
        ? StatusCodes.BadSubscriptionIdInvalid
        : StatusCodes.BadUserAccessDenied;
}
