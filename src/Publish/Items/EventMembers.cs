namespace Gateway.Publish.Items;

/// <summary>The items of one group on one shard, densely. Owner: the shard, under its lock.</summary>
internal sealed class EventMembers
{
    private readonly List<MonitoredItem> _items = [];

    public int Count => _items.Count;

    public MonitoredItem this[int index] => _items[index];

    public void Add(MonitoredItem item)
    {
        item.Extras.Event!.Place = _items.Count;
        _items.Add(item);
    }

    /// <param name="walked">Items up to here have had the event that is being walked: the rest still gets it.</param>
    public void Remove(MonitoredItem item, ref int walked)
    {
        var gap = item.Extras.Event!.Place;
        if (gap < walked)
        {
            Put(gap, _items[--walked]);
            gap = walked;
        }

        Put(gap, _items[^1]);
        _items.RemoveAt(_items.Count - 1);
        item.Extras.Event.Place = -1;
    }

    private void Put(int index, MonitoredItem item)
    {
        _items[index] = item;
        item.Extras.Event!.Place = index;
    }
}
