using Gateway.Codec.Types;

namespace Gateway.Rest.Sockets;

/// <summary>The nodes that a WebSocket watches. Threads: any; its lock is a leaf.</summary>
internal sealed class LiveItems
{
    private readonly Lock _lock = new();
    private readonly Dictionary<uint, LiveItem> _byHandle = [];
    private readonly Dictionary<NodeId, LiveItem> _byNode = [];

    public int Count
    {
        get
        {
            lock (_lock)
                return _byHandle.Count;
        }
    }

    public LiveItem[] All
    {
        get
        {
            lock (_lock)
                return [.. _byHandle.Values];
        }
    }

    public bool Has(in NodeId node)
    {
        lock (_lock)
            return _byNode.ContainsKey(node);
    }

    public void Add(LiveItem item)
    {
        lock (_lock)
            _byHandle[item.Handle] = _byNode[item.Node] = item;
    }

    /// <summary>Null: it is not watched any more.</summary>
    public byte[]? PrefixOf(uint handle)
    {
        lock (_lock)
            return _byHandle.GetValueOrDefault(handle)?.Prefix;
    }

    /// <summary>Null: it is not watched.</summary>
    public LiveItem? Find(in NodeId node)
    {
        lock (_lock)
            return _byNode.GetValueOrDefault(node);
    }

    /// <summary>The last one takes the room of all with it.</summary>
    public void Remove(LiveItem item)
    {
        lock (_lock)
        {
            _byNode.Remove(item.Node);
            _byHandle.Remove(item.Handle);
            if (_byHandle.Count > 0)
                return;
            _byNode.TrimExcess();
            _byHandle.TrimExcess();
        }
    }
}
