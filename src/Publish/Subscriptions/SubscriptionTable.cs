using System.Collections.Concurrent;
using Gateway.Codec.Tables;

namespace Gateway.Publish.Subscriptions;

/// <summary>All subscriptions of sessions by id, whichever session and shard they belong to by now; and page by page,
/// with those of streams. Thread-safe; a result may be moving or closing: look again under its shard's lock.</summary>
internal sealed class SubscriptionTable
{
    private readonly ConcurrentDictionary<uint, Subscription> _subscriptions = new();

    public int Count => _subscriptions.Count;

    /// <summary>Those of streams, too.</summary>
    public PageTable<Subscription> Pages { get; } = new();

    public void Add(Subscription subscription)
    {
        if (subscription.Consumer.HasPublicSubscriptions)
            _subscriptions[subscription.Id] = subscription;
        subscription.Place = Pages.Add(subscription);
    }

    public void Remove(Subscription subscription)
    {
        _subscriptions.TryRemove(subscription.Id, out _);
        Pages.Remove(subscription.Place, subscription);
    }

    public Subscription? Find(uint id) => _subscriptions.GetValueOrDefault(id);

    /// <summary>Without a lock around the whole: those that come and go meanwhile may be there or not.</summary>
    public IEnumerator<KeyValuePair<uint, Subscription>> GetEnumerator() => _subscriptions.GetEnumerator();
}
