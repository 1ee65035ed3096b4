using System.Collections.Concurrent;

namespace Gateway.Publish.Subscriptions;

/// <summary>All subscriptions by id, whichever session and shard they belong to by now. Thread-safe; a result may be
/// moving or closing: look again under its shard's lock.</summary>
internal sealed class SubscriptionTable
{
    private readonly ConcurrentDictionary<uint, Subscription> _subscriptions = new();

    public int Count => _subscriptions.Count;

    public void Add(Subscription subscription) => _subscriptions[subscription.Id] = subscription;

    public void Remove(Subscription subscription) => _subscriptions.TryRemove(subscription.Id, out _);

    public Subscription? Find(uint id) => _subscriptions.GetValueOrDefault(id);

    /// <summary>Without a lock around the whole: those that come and go meanwhile may be there or not.</summary>
    public IEnumerator<KeyValuePair<uint, Subscription>> GetEnumerator() => _subscriptions.GetEnumerator();
}
