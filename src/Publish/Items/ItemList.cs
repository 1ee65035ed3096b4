namespace Gateway.Publish.Items;

/// <summary>Items of a subscription in the order in which they were added, linked through themselves: adding, removing
/// and walking allocate nothing. Owner: the subscription, under its shard's lock.</summary>
internal struct ItemList<TLink>
    where TLink : struct, IItemLink
{
    private MonitoredItem? _last;

    public MonitoredItem? First { get; private set; }

    public readonly bool IsEmpty => First is null;

    public static MonitoredItem? After(MonitoredItem item) => TLink.Of(item).Next;

    /// <summary>Does nothing for an item that is in the list.</summary>
    public void Add(MonitoredItem item)
    {
        ref var link = ref TLink.Of(item);
        if (link.IsLinked)
            return;
        link.IsLinked = true;
        link.Previous = _last;
        if (_last is null)
            First = item;
        else
            TLink.Of(_last).Next = item;
        _last = item;
    }

    /// <summary>Does nothing for an item that is not in the list.</summary>
    public void Remove(MonitoredItem item)
    {
        ref var link = ref TLink.Of(item);
        if (!link.IsLinked)
            return;
        if (link.Previous is null)
            First = link.Next;
        else
            TLink.Of(link.Previous).Next = link.Next;
        if (link.Next is null)
            _last = link.Previous;
        else
            TLink.Of(link.Next).Previous = link.Previous;
        link = default;
    }
}
