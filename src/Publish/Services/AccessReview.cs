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
        var isAnyDenied = false;
        foreach (var item in subscription.Items)
        {
            // What is disabled is looked at when it is enabled.
            if (item.WatcherIndex >= 0)
                isAnyDenied |= !start.RevisitUnderLock(subscription.Shard, item);
        }

        if (isAnyDenied)
            DropKeptUnderLock(subscription);
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
