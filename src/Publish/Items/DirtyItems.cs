using System.Diagnostics.CodeAnalysis;

namespace Gateway.Publish.Items;

/// <summary>Items with something to report, one list a kind: a message groups its notifications by kind. Owner: the
/// subscription, under its shard's lock.</summary>
internal struct DirtyItems
{
    private ItemList<DirtyLink> _dataChanges;
    private ItemList<DirtyLink> _events;

    public readonly bool IsEmpty => _dataChanges.IsEmpty && _events.IsEmpty;

    [UnscopedRef]
    public ref ItemList<DirtyLink> Of(NotificationKind kind) =>
        ref kind == NotificationKind.DataChange ? ref _dataChanges : ref _events;

    /// <summary>Does nothing for an item that it has already, nor for one that is held.</summary>
    public void Add(MonitoredItem item)
    {
        if (item.ExtrasOrNull?.Durable is not { IsHeld: true })
            Of(item.Kind).Add(item);
    }

    /// <summary>Does nothing for an item that is not there.</summary>
    public void Remove(MonitoredItem item) => Of(item.Kind).Remove(item);
}
