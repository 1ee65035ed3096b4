using System.Text;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Verb = Gateway.Codec.Structures.ModelChangeStructureVerbMask;

namespace Gateway.Events.Changes;

/// <summary>
/// The nodes that have changed since the last event, bounded (R01). Shape: added and removed nodes apart from those of
/// before that have other references now. Where the first are too many, the second still say below which nodes to
/// look; where they are too many, too, anything may have changed. Nodes with an access rule are never named (R36).
/// Owner: <see cref="ModelChangeEvents"/>, under its lock. Source: Part 5 §12.16.
/// </summary>
internal sealed class ModelChangeSet(NodeTable nodes)
{
    /// <summary>Of one event.</summary>
    public const int MaxChanges = 1_000;

    /// <summary>A field of an event has 64 KiB.</summary>
    public const int MaxBytes = 48 * 1024;

    private readonly Dictionary<NodeId, (Verb Verb, NodeId Type)> _nodes = [];
    private readonly Dictionary<NodeId, Verb> _neighbours = [];
    private int _bytes;
    private bool _areNodesMany;
    private bool _areNeighboursMany;
    private bool _areHidden;

    public bool IsEmpty => _nodes.Count == 0 && _neighbours.Count == 0 && !_areNodesMany && !IsAnything;

    /// <summary>Nodes have changed that no event names.</summary>
    public bool IsAnything => _areHidden || _areNeighboursMany;

    public void Add(in NodeChanges changes)
    {
        foreach (var (node, type) in changes.RemovedTypes)
            AddNode(nodes.GetNodeId(node), node, Verb.NodeDeleted, type);
        for (var i = 0; i < changes.AddedCount && !(_areNodesMany && _areHidden); i++)
        {
            var node = nodes.Find(changes.Added(i));
            AddNode(changes.Added(i), node, Verb.NodeAdded, TypeOf(nodes, node));
        }

        foreach (var node in changes.GainedReferences)
            AddNeighbour(node, Verb.ReferenceAdded);
        foreach (var node in changes.LostReferences)
            AddNeighbour(node, Verb.ReferenceDeleted);
        foreach (var node in changes.OtherDataTypes)
            AddNeighbour(node, Verb.DataTypeChanged);
    }

    /// <summary>All that there is to tell, and nothing is left. Null: too much to be told.</summary>
    public List<ModelChangeStructureDataType>? Take()
    {
        var changes = new List<ModelChangeStructureDataType>(_nodes.Count + _neighbours.Count);
        foreach (var (id, (verb, type)) in _nodes)
        {
            // It has come and gone.
            if (verb == (Verb.NodeAdded | Verb.NodeDeleted) && nodes.Find(id).IsNone)
                continue;
            changes.Add(new ModelChangeStructureDataType { Affected = id, AffectedType = type, Verb = (byte)verb });
        }

        foreach (var (id, verb) in _neighbours)
        {
            var node = nodes.Find(id);
            if (_nodes.ContainsKey(id) || node.IsNone)
                continue;
            changes.Add(new ModelChangeStructureDataType
            {
                Affected = id,
                AffectedType = ShownTypeOf(node, TypeOf(nodes, node)),
                Verb = (byte)verb,
            });
        }

        var isTooMuch = _areNeighboursMany;
        Clear();
        return isTooMuch ? null : changes;
    }

    public void Clear()
    {
        _nodes.Clear();
        _neighbours.Clear();
        (_areNodesMany, _areNeighboursMany, _areHidden, _bytes) = (false, false, false, 0);
    }

    private void AddNode(NodeId id, NodeHandle node, Verb verb, NodeHandle type)
    {
        if (IsHidden(node) || _areNodesMany)
            return;
        if (_nodes.TryGetValue(id, out var known))
        {
            _nodes[id] = (known.Verb | verb, ShownTypeOf(node, type));
            return;
        }

        var shown = ShownTypeOf(node, type);
        _bytes += BytesOf(id) + BytesOf(shown);
        if (_nodes.Count + _neighbours.Count >= MaxChanges || _bytes > MaxBytes)
        {
            _areNodesMany = true;
            _nodes.Clear();
            _bytes = _neighbours.Keys.Sum(BytesOfNeighbour);
            return;
        }

        _nodes.Add(id, (verb, shown));
    }

    private void AddNeighbour(NodeHandle node, Verb verb)
    {
        if (IsHidden(node) || _areNeighboursMany)
            return;
        var id = nodes.GetNodeId(node);
        if (_neighbours.TryGetValue(id, out var known))
        {
            _neighbours[id] = known | verb;
            return;
        }

        _bytes += BytesOfNeighbour(id);
        if (IsFull && !_areNodesMany)
        {
            _areNodesMany = true;
            _nodes.Clear();
            _bytes = _neighbours.Keys.Sum(BytesOfNeighbour) + BytesOfNeighbour(id);
        }

        if (IsFull)
        {
            _areNeighboursMany = true;
            _neighbours.Clear();
            return;
        }

        _neighbours.Add(id, verb);
    }

    private bool IsFull => _nodes.Count + _neighbours.Count >= MaxChanges || _bytes > MaxBytes;

    private bool IsHidden(NodeHandle node)
    {
        if (!nodes.HasAccessRule(node))
            return false;
        _areHidden = true;
        return true;
    }

    /// <summary>None for a removed node, and for one that has no type.</summary>
    internal static NodeHandle TypeOf(NodeTable nodes, NodeHandle node) =>
        nodes.TypeDefinitionOf(node)?.Target ?? default;

    private NodeId ShownTypeOf(NodeHandle node, NodeHandle type) =>
        type.IsNone || (nodes.HasAccessRule(type) && !nodes.HasAccessRule(node)) ? NodeId.Null : nodes.GetNodeId(type);

    /// <summary>Its type is looked up at the end: one of the standard, most often.</summary>
    internal static int BytesOfNeighbour(NodeId id)
    {
        const int BytesOfType = 32;
        return BytesOf(id) + BytesOfType;
    }

    private static int BytesOf(NodeId id)
    {
        const int BytesOfStructure = 16;
        return BytesOfStructure + (id.IdType switch
        {
            IdType.String => Encoding.UTF8.GetByteCount(id.String ?? ""),
            IdType.Opaque => id.Opaque?.Length ?? 0,
            _ => 0,
        });
    }
}
