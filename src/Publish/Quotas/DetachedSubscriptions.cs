using Gateway.Admission.Caps;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Quotas;

/// <summary>
/// Subscriptions whose session is gone: at the server's caps they make room for a client that holds less (R46). One
/// ranking for each thing that can be short, so that the holder that has most of it loses first. Thread-safe.
/// </summary>
internal sealed class DetachedSubscriptions
{
    private readonly VictimList<Subscription> _bySubscriptions = new();
    private readonly VictimList<Subscription> _byItems = new();
    private readonly VictimList<Subscription> _byQueuedValues = new();

    public int Count => _bySubscriptions.Count;

    /// <summary>Under the shard's lock. From here on its items do not change.</summary>
    public void AddUnderLock(Subscription subscription)
    {
        var holder = subscription.Consumer.Owner.HolderKey;
        _bySubscriptions.Add(subscription, holder);
        if (subscription.Items.Count > 0)
            _byItems.Add(subscription, holder, subscription.Items.Count);
        var queued = subscription.QueueCapacity;
        if (queued > 0)
            _byQueuedValues.Add(subscription, holder, queued);
    }

    public void Remove(Subscription subscription)
    {
        _bySubscriptions.Remove(subscription);
        _byItems.Remove(subscription);
        _byQueuedValues.Remove(subscription);
    }

    /// <summary>Takes one out, the oldest of its holder; null where there is none.</summary>
    /// <param name="newcomer">The consumer that needs room.</param>
    /// <param name="wanted">The kinds that it needs: the victim has at least one of them.</param>
    /// <param name="ownOnly">The newcomer holds so much that no other has to make room.</param>
    public Subscription? Take(Consumer newcomer, in Amount wanted, bool ownOnly)
    {
        var held = newcomer.Holders.OfClient;
        var (list, above) = wanted.Subscriptions > 0 ? (_bySubscriptions, held.Subscriptions)
            : wanted.Items > 0 ? (_byItems, held.Items)
            : (_byQueuedValues, held.QueuedValues);
        var victim = ownOnly ? list.TakeOwn(newcomer.Owner.HolderKey) : list.TakeOfMost(above);
        if (victim is not null)
            Remove(victim);
        return victim;
    }
}
