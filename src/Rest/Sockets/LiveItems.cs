using System.Diagnostics.CodeAnalysis;
using Gateway.Codec.Types;

namespace Gateway.Rest.Sockets;

/// <summary>The nodes that a WebSocket watches. Threads: any; its lock is a leaf.</summary>
internal sealed class LiveItems
{
    private readonly Lock _lock = new();
    private readonly Dictionary<uint, LiveItem> _byHandle = [];
    private readonly Dictionary<NodeId, LiveItem> _byNode = [];

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

    public bool TryRemove(in NodeId node, [NotNullWhen(true)] out LiveItem? item)
    {
        lock (_lock)
            return _byNode.Remove(node, out item) && _byHandle.Remove(item.Handle);
    }
}
