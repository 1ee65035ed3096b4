using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Namespaces;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>
/// Brings the gateway's nodes in line with those found at an upstream: adds new ones, removes missing ones, leaves the
/// rest and so every subscription on it alone. Owner: one connector, which calls it again at each connect.
///</summary>
internal sealed class SpaceMerger(
    NodeId root, INodeSource source, INodeSource fixedSource, NodeTable nodes, ValueStore values, int maxNodes)
{
    private Dictionary<NodeId, Fingerprint> _served = [];

    /// <summary>Of the browses from the next one on.</summary>
    public int MaxNodes { get; set; } = maxNodes;

    /// <summary>The facts that identify a node: if one changes, it is another node.</summary>
    private readonly record struct Fingerprint(
        NodeClass NodeClass, VariableFacts Facts, QualifiedName BrowseName, NodeId Type, Looks Looks);

    /// <summary>Facts that may change while clients watch the node: it stays where it is.</summary>
    private readonly record struct Looks(
        LocalizedText DisplayName, LocalizedText Description, bool Executable, double MinimumSamplingInterval,
        bool IsAbstract, string DefinitionDigest);

    /// <returns>Unmapped: nodes whose namespace got no index, and which are left out.</returns>
    public (int Added, int Removed, int Unmapped) Merge(BrowsedSpace space, NamespaceMap map)
    {
        var batch = new NodeBatch();
        var definitions = new DefinitionTranslator(space, nodes, map);
        var served = new Dictionary<NodeId, Fingerprint>(space.Nodes.Count);
        var added = new HashSet<NodeId>();
        var (removed, unmapped) = (0, 0);
        foreach (var node in space.Nodes.Values)
        {
            var definition = definitions.Translate(node.Definition);
            if (!TryTranslate(node, map, definition, out var id, out var fingerprint, ref unmapped) ||
                !served.TryAdd(id, fingerprint))
                continue;
            var known = _served.TryGetValue(id, out var before);
            if (known && Same(before, fingerprint))
            {
                if (before.Looks != fingerprint.Looks)
                    batch.Update(nodes.Find(id), Definition(node, id, fingerprint, definition) with { Source = null });
                continue;
            }

            if (known)
                batch.Remove(nodes.Find(id));
            Add(batch, node, id, fingerprint, definition);
            added.Add(id);
        }

        foreach (var (id, before) in _served)
        {
            if (served.ContainsKey(id) || nodes.Find(id) is { IsNone: true })
                continue;
            if (space.Unbrowsed > 0 && served.Count < MaxNodes)
            {
                // It may lie where the upstream could not be browsed.
                served.Add(id, before);
                continue;
            }

            var gone = nodes.Find(id);
            batch.Remove(gone);
            if (before.NodeClass == NodeClass.Variable)
                values.Set(gone, new DataValue(StatusCodes.BadNodeIdUnknown));
            removed++;
        }

        AddReferences(batch, space, map, served, added);
        try
        {
            nodes.Apply(batch);
        }
        finally
        {
            // Where a listener failed they exist all the same, and at the next connect they have to be known.
            if (batch.IsApplied)
                _served = served;
        }

        SetFixedValues(space, map);
        return (batch.Count, removed, unmapped);
    }

    /// <summary>The upstream does not come back: its nodes and its root go. Items on them report Bad_NodeIdUnknown.
    /// </summary>
    public void RemoveAll()
    {
        var batch = new NodeBatch();
        foreach (var (id, before) in _served)
        {
            if (nodes.Find(id) is not { IsNone: false } gone)
                continue;
            batch.Remove(gone);
            if (before.NodeClass == NodeClass.Variable)
                values.Set(gone, new DataValue(StatusCodes.BadNodeIdUnknown));
        }

        if (nodes.Find(root) is { IsNone: false } top)
            batch.Remove(top);
        _served = [];
        nodes.Apply(batch);
    }

    /// <summary>How many nodes are served.</summary>
    public int Count => _served.Count;

    private bool TryTranslate(
        BrowsedNode node, NamespaceMap map, DataTypeDefinition? definition, out NodeId id, out Fingerprint fingerprint,
        ref int unmapped)
    {
        var mapper = new ValueMapper(map, toLocal: true);
        id = mapper.Map(node.Id);
        var facts = node.Facts with { DataType = mapper.Map(node.Facts.DataType) };
        fingerprint = new Fingerprint(
            node.NodeClass, facts, mapper.Map(node.BrowseName), TypeOf(node),
            new Looks(
                node.DisplayName, node.Description, node.Executable, facts.MinimumSamplingInterval, node.IsAbstract,
                DefinitionTranslator.Digest(definition)));
        unmapped += mapper.Failed ? 1 : 0;
        return !mapper.Failed && (_served.ContainsKey(id) || nodes.Find(id).IsNone);
    }

    private void Add(
        NodeBatch batch, BrowsedNode node, NodeId id, in Fingerprint fingerprint, DataTypeDefinition? definition)
    {
        batch.AddNode(Definition(node, id, fingerprint, definition));
        if (node.NodeClass is NodeClass.Object or NodeClass.Variable)
            batch.AddReference(id, new NodeId(StandardIds.ReferenceTypes.HasTypeDefinition), fingerprint.Type);
    }

    private NodeDefinition Definition(
        BrowsedNode node, NodeId id, in Fingerprint fingerprint, DataTypeDefinition? definition) => new()
        {
            NodeId = id,
            NodeClass = node.NodeClass,
            BrowseName = fingerprint.BrowseName,
            DisplayName = node.DisplayName,
            Description = node.Description,
            Variable = fingerprint.Facts,
            IsAbstract = node.IsAbstract,
            DataTypeDefinition = definition,
            Executable = node.Executable,
            Source = node.FixedValue is null ? source : fixedSource,
        };

    private NodeId TypeOf(BrowsedNode node)
    {
        if (node.TypeDefinition is { NamespaceIndex: 0, IsNull: false } && !nodes.Find(node.TypeDefinition).IsNone)
            return node.TypeDefinition;
        if (node.NodeClass == NodeClass.Object)
            return new NodeId(StandardIds.ObjectTypes.BaseObjectType);
        return new NodeId(node.IsProperty
            ? StandardIds.VariableTypes.PropertyType
            : StandardIds.VariableTypes.BaseDataVariableType);
    }

    private void AddReferences(
        NodeBatch batch, BrowsedSpace space, NamespaceMap map, Dictionary<NodeId, Fingerprint> served,
        HashSet<NodeId> added)
    {
        foreach (var reference in space.References)
        {
            var mapper = new ValueMapper(map, toLocal: true);
            var source = reference.Source.IsNull ? root : mapper.Map(reference.Source);
            var target = mapper.Map(reference.Target);
            // A type's supertype may be the standard's.
            var isThere = source == root || served.ContainsKey(source) || source.NamespaceIndex == 0;
            if (mapper.Failed || !served.ContainsKey(target) || !isThere)
                continue;
            var type = KnownReferenceType(reference);
            if (added.Contains(source) || added.Contains(target) || !IsOfDataTypes(type) ||
                !IsThere(source, type, target))
                batch.AddReference(source, type, target);
        }
    }

    /// <summary>Added once more, they would make all that is known of DataTypes anew.</summary>
    private static bool IsOfDataTypes(NodeId referenceType) =>
        referenceType == new NodeId(StandardIds.ReferenceTypes.HasSubtype) ||
        referenceType == new NodeId(StandardIds.ReferenceTypes.HasEncoding);

    private bool IsThere(NodeId source, NodeId referenceType, NodeId target)
    {
        foreach (var reference in nodes.References(nodes.Find(target)))
        {
            if (!reference.IsForward && nodes.GetNodeId(reference.ReferenceType) == referenceType &&
                nodes.GetNodeId(reference.Target) == source)
                return true;
        }

        return false;
    }

    /// <summary>Below the upstream's object all is organized; an upstream's own reference type is a HasComponent.
    ///</summary>
    private NodeId KnownReferenceType(in BrowsedReference reference)
    {
        if (reference.Source.IsNull)
            return new NodeId(StandardIds.ReferenceTypes.Organizes);
        return reference.ReferenceType.NamespaceIndex == 0 && !nodes.Find(reference.ReferenceType).IsNone
            ? reference.ReferenceType
            : new NodeId(StandardIds.ReferenceTypes.HasComponent);
    }

    private void SetFixedValues(BrowsedSpace space, NamespaceMap map)
    {
        foreach (var node in space.Nodes.Values)
        {
            if (node.FixedValue is not { } value || !map.TryToLocal(node.Id, out var id))
                continue;
            var mapper = new ValueMapper(map, toLocal: true);
            var handle = nodes.Find(id);
            if (!handle.IsNone)
                values.Set(handle, new DataValue(mapper.Map(value.Value), value.Status, value.SourceTimestamp));
        }
    }

    private static bool Same(in Fingerprint left, in Fingerprint right) =>
        left.NodeClass == right.NodeClass && left.BrowseName == right.BrowseName && left.Type == right.Type &&
        (left.Facts.ArrayDimensions ?? []).AsSpan().SequenceEqual(right.Facts.ArrayDimensions ?? []) &&
        Fixed(left.Facts) == Fixed(right.Facts);

    private static VariableFacts Fixed(in VariableFacts facts) =>
        facts with { ArrayDimensions = null, MinimumSamplingInterval = 0 };
}
