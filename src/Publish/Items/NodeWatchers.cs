namespace Gateway.Publish.Items;

/// <summary>The items of one shard that watch one node, densely: a change walks them in memory order, an item leaves by
/// swapping with the last. A single one needs no array. Owner: the shard, under its lock.</summary>
internal sealed class NodeWatchers
{
    private MonitoredItem? _first;
    private MonitoredItem?[]? _more;

    public int Count { get; private set; }

    /// <summary>Some watch or have watched a part of the value: a change costs more than their number.</summary>
    public bool HasRanges { get; private set; }

    /// <summary>Null for most nodes.</summary>
    public NodeRelations? Relations { get; set; }

    public bool IsNeeded => Count > 0 || Relations is { Owners.Count: > 0 };

    public MonitoredItem this[int index] => index == 0 ? _first! : _more![index - 1]!;

    public void Add(MonitoredItem item)
    {
        if (Count > (_more?.Length ?? 0))
            Array.Resize(ref _more, Math.Max(3, 2 * Count));
        Put(Count++, item);
        HasRanges |= item.ExtrasOrNull is { Range.IsEmpty: false };
    }

    /// <param name="walked">Items up to here have had the change that is being walked: the rest still gets it.</param>
    public void Remove(MonitoredItem item, ref int walked)
    {
        var gap = item.WatcherIndex;
        if (gap < walked)
        {
            Put(gap, this[--walked]);
            gap = walked;
        }

        Put(gap, this[--Count]);
        if (Count == 0)
            _first = null;
        else
            _more![Count - 1] = null;
        item.WatcherIndex = -1;
    }

    private void Put(int index, MonitoredItem item)
    {
        item.WatcherIndex = index;
        if (index == 0)
            _first = item;
        else
            _more![index - 1] = item;
    }
}
