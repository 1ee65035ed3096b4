using System.Runtime.InteropServices;

namespace Gateway.AddressSpace.Nodes;

/// <summary>The half-references of a batch by node: each reference once as its source and once as its target sees it,
/// in the order in which they came, none twice.</summary>
internal sealed class EdgeList(NodeRecords records, ReferenceArena references, int firstNew)
{
    private readonly List<(int Node, ulong Entry)> _edges = [];
    private readonly HashSet<(int Source, ulong Entry)> _seen = [];
    private List<(int Node, ulong Entry)>? _sorted;

    public IReadOnlyList<(int Node, ulong Entry)> All => _edges;

    /// <summary>False when the target is no node.</summary>
    public bool Add(int source, int type, bool isForward, int target)
    {
        if (target == 0)
            return false;
        if (!isForward)
            (source, target) = (target, source);
        var entry = PackedReference.Pack(type, true, target);
        if (!_seen.Add((source, entry)) || IsThere(source, entry, target))
            return true;
        _edges.Add((source, entry));
        _edges.Add((target, PackedReference.Opposite(entry, source)));
        return true;
    }

    public void AddExternal(int source, ulong entry)
    {
        if (_seen.Add((source, entry)) && !Contains(source, entry))
            _edges.Add((source, entry));
    }

    /// <summary>By node; LINQ's sort keeps the order of what is equal.</summary>
    public void Sort() => _sorted = [.. _edges.OrderBy(static edge => edge.Node)];

    public void WriteNew(int first) => Write(node => node >= first);

    public void WriteOld(int first) => Write(node => node < first);

    /// <summary>Only a reference between two nodes of before can be there already: asked at the end with fewer.
    /// </summary>
    private bool IsThere(int source, ulong entry, int target)
    {
        if (source >= firstNew || target >= firstNew)
            return false;
        return references.Read(ref records[source].References).Length <=
            references.Read(ref records[target].References).Length
            ? Contains(source, entry)
            : Contains(target, PackedReference.Opposite(entry, source));
    }

    private bool Contains(int node, ulong entry) =>
        references.Read(ref records[node].References).Contains(entry);

    private void Write(Func<int, bool> wanted)
    {
        var run = new List<ulong>();
        for (var i = 0; i < _sorted!.Count;)
        {
            var node = _sorted[i].Node;
            run.Clear();
            for (; i < _sorted.Count && _sorted[i].Node == node; i++)
                run.Add(_sorted[i].Entry);
            if (wanted(node))
                references.Append(ref records[node].References, CollectionsMarshal.AsSpan(run));
        }
    }
}
