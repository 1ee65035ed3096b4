using System.Runtime.InteropServices;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.Publish.Items;

/// <summary>
/// Which items of a shard watch what: values by node, other attributes by node, and the items whose node is gone by the
/// NodeId that may come back. A Variable's EURange, EngineeringUnits … are watched with it. Owner: the shard, under its
/// lock.
/// </summary>
internal sealed class WatchBook(NodeTable nodes, ValueStore store, int shard)
{
    private readonly Dictionary<int, NodeWatchers> _values = [];
    private readonly Dictionary<int, NodeWatchers> _attributes = [];
    private readonly Dictionary<NodeId, NodeWatchers> _orphans = [];
    private readonly List<NodeHandle> _properties = [];

    /// <summary>How many items of a node want its timestamps; most nodes have none.</summary>
    private readonly Dictionary<int, int> _timestamps = [];

    /// <summary>Nodes whose values are watched.</summary>
    public int Nodes => _values.Count;

    /// <summary>NodeIds that items wait for.</summary>
    public int Orphans => _orphans.Count;

    public NodeWatchers? ValueWatchers(NodeHandle node) => _values.GetValueOrDefault(node.Index);

    /// <summary>Items that wait for this one.</summary>
    public int OrphansOf(NodeId id) => _orphans.Count == 0 ? 0 : _orphans.GetValueOrDefault(id)?.Count ?? 0;

    public void Add(MonitoredItem item)
    {
        if (item.IsOrphan)
            AddTo(_orphans, nodes.GetNodeId(item.Node), item);
        else if (item.Attribute != AttributeId.Value)
            AddTo(_attributes, item.Node.Index, item);
        else
            AddValue(item);
    }

    /// <summary>For an item that is in the book.</summary>
    /// <param name="walked">See <see cref="NodeWatchers.Remove"/>.</param>
    public void Remove(MonitoredItem item, ref int walked)
    {
        if (item.IsOrphan)
            RemoveFrom(_orphans, nodes.GetNodeId(item.Node), item);
        else if (item.Attribute != AttributeId.Value)
            RemoveFrom(_attributes, item.Node.Index, item);
        else
            RemoveValue(item, ref walked);
    }

    /// <summary>Another filter, also for an item that is not in the book.</summary>
    public void SetFilter(MonitoredItem item, in DataChangeCondition condition, double percentDeadband)
    {
        var had = item.WantsTimestamps;
        item.SetFilter(condition, percentDeadband);
        if (item.WantsTimestamps == had || item.WatcherIndex < 0 || item.IsOrphan ||
            item.Attribute != AttributeId.Value)
            return;
        if (had)
            RemoveTimestamps(item.Node);
        else
            AddTimestamps(item.Node);
    }

    /// <summary>All items that have to do with a node: those on it, and those that wait for its NodeId.</summary>
    public void Collect(NodeHandle node, List<MonitoredItem> found)
    {
        Collect(_values.GetValueOrDefault(node.Index), found);
        Collect(_attributes.GetValueOrDefault(node.Index), found);
        if (_orphans.Count > 0)
            Collect(nodes.GetNodeId(node), found);
    }

    public void Collect(NodeId id, List<MonitoredItem> found) => Collect(_orphans.GetValueOrDefault(id), found);

    /// <summary>Takes a change of a property in.</summary>
    /// <param name="bits">SemanticsChanged if its value has changed.</param>
    /// <returns>The Variables that it belongs to, if their clients must learn of it; otherwise null.</returns>
    public static List<NodeHandle>? NoteProperty(NodeWatchers watchers, SharedValue value, out NotificationBits bits)
    {
        bits = NotificationBits.None;
        if (watchers.Relations is not { Owners.Count: > 0 } relations || value.Status.IsBad)
            return null;
        var last = relations.Last;
        if (last is not null && last.HasSameValue(value))
            return null;
        bits = last is null ? NotificationBits.None : NotificationBits.SemanticsChanged;
        value.AddReference();
        relations.Last = value;
        last?.Release();
        return relations.Owners;
    }

    /// <summary>The span of the EURange as it is now.</summary>
    public double RefreshRange(NodeHandle node, NodeRelations relations)
    {
        AnalogProperties.TryGetRangeSpan(nodes, store, node, out var span);
        relations.RangeSpan = span;
        return span;
    }

    private void AddValue(MonitoredItem item)
    {
        var watchers = GetOrAttach(item.Node);
        if (watchers.Count == 0)
            Relate(item.Node, watchers);
        watchers.Add(item);
        if (item.WantsTimestamps)
            AddTimestamps(item.Node);
        if (watchers.Relations is { } relations)
            item.SetRange(relations.RangeSpan);
    }

    private void RemoveValue(MonitoredItem item, ref int walked)
    {
        var watchers = _values[item.Node.Index];
        watchers.Remove(item, ref walked);
        if (item.WantsTimestamps)
            RemoveTimestamps(item.Node);
        if (watchers.Count > 0)
            return;
        if (watchers.Relations is { } relations)
            Unrelate(item.Node, relations);
        DetachUnneeded(item.Node, watchers);
    }

    private void AddTimestamps(NodeHandle node)
    {
        if (++CollectionsMarshal.GetValueRefOrAddDefault(_timestamps, node.Index, out _) == 1)
            store.AttachTimestamps(node, shard);
    }

    private void RemoveTimestamps(NodeHandle node)
    {
        if (--CollectionsMarshal.GetValueRefOrAddDefault(_timestamps, node.Index, out _) > 0)
            return;
        _timestamps.Remove(node.Index);
        store.DetachTimestamps(node, shard);
    }

    private void Relate(NodeHandle node, NodeWatchers watchers)
    {
        _properties.Clear();
        AnalogProperties.Find(nodes, node, _properties);
        if (_properties.Count == 0)
            return;
        watchers.Relations ??= new NodeRelations();
        watchers.Relations.Properties = [.. _properties];
        RefreshRange(node, watchers.Relations);
        foreach (var property in _properties)
        {
            var relations = GetOrAttach(property).Relations ??= new NodeRelations();
            (relations.Owners ??= []).Add(node);
            relations.Last ??= AcquireGood(property);
        }
    }

    private void Unrelate(NodeHandle node, NodeRelations relations)
    {
        foreach (var property in relations.Properties)
        {
            var watchers = _values[property.Index];
            watchers.Relations!.Owners!.Remove(node);
            if (watchers.Relations.Owners.Count > 0)
                continue;
            watchers.Relations.Last?.Release();
            watchers.Relations.Last = null;
            DetachUnneeded(property, watchers);
        }

        relations.Properties = [];
    }

    private SharedValue? AcquireGood(NodeHandle node)
    {
        var value = store.Acquire(node);
        if (value is not { Status.IsBad: true })
            return value;
        value.Release();
        return null;
    }

    private NodeWatchers GetOrAttach(NodeHandle node)
    {
        if (_values.TryGetValue(node.Index, out var watchers))
            return watchers;
        _values.Add(node.Index, watchers = new NodeWatchers());
        store.Attach(node, shard);
        return watchers;
    }

    private void DetachUnneeded(NodeHandle node, NodeWatchers watchers)
    {
        if (watchers.IsNeeded)
            return;
        _values.Remove(node.Index);
        store.Detach(node, shard);
    }

    private static void Collect(NodeWatchers? watchers, List<MonitoredItem> found)
    {
        for (var i = 0; i < watchers?.Count; i++)
            found.Add(watchers[i]);
    }

    private static void AddTo<TKey>(Dictionary<TKey, NodeWatchers> book, TKey key, MonitoredItem item)
        where TKey : notnull
    {
        if (!book.TryGetValue(key, out var watchers))
            book.Add(key, watchers = new NodeWatchers());
        watchers.Add(item);
    }

    private static void RemoveFrom<TKey>(Dictionary<TKey, NodeWatchers> book, TKey key, MonitoredItem item)
        where TKey : notnull
    {
        var walked = 0;
        var watchers = book[key];
        watchers.Remove(item, ref walked);
        if (watchers.Count == 0)
            book.Remove(key);
    }
}
