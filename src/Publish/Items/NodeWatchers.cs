namespace Gateway.Publish.Items;

/// <summary>The items of one shard that watch one node, densely: a change walks them in memory order, an item leaves by
/// swapping with the last. Owner: the shard, under its lock.</summary>
internal sealed class NodeWatchers
{
    private MonitoredItem?[] _items = new MonitoredItem?[1];

    public int Count { get; private set; }

    public MonitoredItem this[int index] => _items[index]!;

    public void Add(MonitoredItem item)
    {
        if (Count == _items.Length)
            Array.Resize(ref _items, 2 * Count);
        item.WatcherIndex = Count;
        _items[Count++] = item;
    }

    public void Remove(MonitoredItem item)
    {
        var last = _items[--Count]!;
        _items[item.WatcherIndex] = last;
        last.WatcherIndex = item.WatcherIndex;
        _items[Count] = null;
        item.WatcherIndex = -1;
    }
}
