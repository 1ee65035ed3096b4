using Gateway.Codec.Types;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Services;

/// <summary>What the methods GetMonitoredItems and ResendData of the Server object do; they serve the session's own
/// subscriptions only. Source: Part 5 §9.1, §9.2.</summary>
internal sealed class SessionMethodService(SubscriptionTable table)
{
    /// <summary>Errors: Bad_SubscriptionIdInvalid; Bad_UserAccessDenied for another session's.</summary>
    public StatusCode GetMonitoredItems(
        PublishSession session, uint subscriptionId, out uint[] serverHandles, out uint[] clientHandles)
    {
        lock (session.Shard.Lock)
        {
            if (session.Find(subscriptionId) is { } subscription)
            {
                subscription.ResetLifetime();
                (serverHandles, clientHandles) = HandlesUnderLock(subscription);
                return StatusCode.Good;
            }
        }

        (serverHandles, clientHandles) = ([], []);
        return NotMine(subscriptionId);
    }

    /// <summary>Errors: as <see cref="GetMonitoredItems"/>.</summary>
    public StatusCode ResendData(PublishSession session, uint subscriptionId, out int items)
    {
        items = 0;
        lock (session.Shard.Lock)
        {
            if (session.Find(subscriptionId) is { } subscription)
            {
                subscription.ResetLifetime();
                subscription.ResendValues();
                items = subscription.Items.Count;
                return StatusCode.Good;
            }
        }

        return NotMine(subscriptionId);
    }

    private static (uint[] ServerHandles, uint[] ClientHandles) HandlesUnderLock(Subscription subscription)
    {
        var server = new uint[subscription.Items.Count];
        var client = new uint[server.Length];
        var i = 0;
        foreach (var item in subscription.Items)
            (server[i], client[i++]) = (item.Id, item.ClientHandle);
        return (server, client);
    }

    private StatusCode NotMine(uint subscriptionId) => table.Find(subscriptionId) is null
        ? StatusCodes.BadSubscriptionIdInvalid
        : StatusCodes.BadUserAccessDenied;
}
