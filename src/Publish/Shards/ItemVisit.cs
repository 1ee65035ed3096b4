using Gateway.Publish.Items;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Shards;

/// <summary>How far a visit to all items of a subscription has come. Items that are added meanwhile need none: they
/// were checked against the present user. Owner: <see cref="ItemVisits"/>, under the shard's lock.</summary>
internal sealed class ItemVisit(Subscription subscription, ItemVisitKinds kinds)
{
    private MonitoredItem?[]? _items;
    private int _left;
    private int _next;

    public Subscription Subscription { get; } = subscription;

    public ItemVisitKinds Kinds { get; private set; } = kinds;

    public bool IsOver => _items is null ? Subscription.Items.Count == 0 : _left == 0;

    /// <summary>False where the subscription is closed, has gone to another session, or is visited anew.</summary>
    public bool IsWanted => ReferenceEquals(Subscription.Visit, this);

    /// <summary>All items once more, for this too.</summary>
    public void StartOver(ItemVisitKinds also)
    {
        Kinds |= also;
        (_items, _left, _next) = (null, 0, 0);
    }

    /// <summary>The next one. It may have been deleted or disabled since the visit began.</summary>
    public MonitoredItem Next()
    {
        if (_items is null)
            (_items, _left) = (Subscription.Items.CopySlots(), Subscription.Items.Count);
        while (_items[_next] is null)
            _next++;
        _left--;
        return _items[_next++]!;
    }
}
