using System.Diagnostics.CodeAnalysis;

namespace Gateway.Transport.Certificates;

/// <summary>
/// Analyses of certificates whose peers have shown that they hold the key (R47), by leaf: one entry a leaf; the rest of
/// its blob does not count. Bounded in bytes; the one not used for longest goes first. Any thread; its lock is a leaf.
/// </summary>
internal sealed class AnalysisCache(long maxBytes)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<BlobKey, LinkedListNode<ChainAnalysis>> _nodes = [];

    /// <summary>Used last in front.</summary>
    private readonly LinkedList<ChainAnalysis> _order = new();
    private long _bytes;

    public int Count
    {
        get
        {
            lock (_lock)
                return _nodes.Count;
        }
    }

    public long Bytes
    {
        get
        {
            lock (_lock)
                return _bytes;
        }
    }

    /// <summary>Entries that made room.</summary>
    public long Evicted { get; private set; }

    public bool TryGet(BlobKey leaf, [NotNullWhen(true)] out ChainAnalysis? analysis)
    {
        lock (_lock)
        {
            if (!_nodes.TryGetValue(leaf, out var node))
            {
                analysis = null;
                return false;
            }

            if (node != _order.First)
            {
                _order.Remove(node);
                _order.AddFirst(node);
            }

            analysis = node.Value;
            return true;
        }
    }

    public void Set(ChainAnalysis analysis)
    {
        lock (_lock)
        {
            if (_nodes.TryGetValue(analysis.Key, out var before))
                RemoveUnderLock(before);
            _nodes[analysis.Key] = _order.AddFirst(analysis);
            _bytes += analysis.HeldBytes;
            while (_bytes > maxBytes)
            {
                RemoveUnderLock(_order.Last!);
                Evicted++;
                CertificateCounters.Evicted();
            }
        }
    }

    private void RemoveUnderLock(LinkedListNode<ChainAnalysis> node)
    {
        _order.Remove(node);
        _nodes.Remove(node.Value.Key);
        _bytes -= node.Value.HeldBytes;
    }
}
