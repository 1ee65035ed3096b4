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
        link.Previous = _last ?? item;
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
        var previous = ReferenceEquals(link.Previous, item) ? null : link.Previous;
        var next = link.Next;
        if (previous is null)
            First = next;
        else
            TLink.Of(previous).Next = next;
        if (next is null)
            _last = previous;
        else
            TLink.Of(next).Previous = previous ?? next;
        link = default;
    }
}
