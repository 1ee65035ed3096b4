using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Namespaces;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>
/// Finds out which types of an upstream are the same as those that are served under the same id already. They are there
/// once. A type that differs from the one that is there moves, with its encodings and declarations, to the other URI of
/// its claim, and so do the types that use it and its subtypes: no value is decoded by another server's definition. To
/// the URIs of the gateway and of NodeSets an upstream adds nothing. Owner: one merge, under
/// <see cref="SharedModel.Merging"/>.
/// </summary>
/// <param name="space">With the types.</param>
/// <param name="nodes">Of the gateway.</param>
/// <param name="map">Gets the exceptions.</param>
/// <param name="shared">Counts the upstreams that serve each type.</param>
/// <param name="held">The types that this upstream has served before.</param>
internal sealed class ModelSharing(
    BrowsedSpace space, NodeTable nodes, NamespaceMap map, SharedModel shared, HashSet<NodeId> held)
{
    private static readonly NodeId HasEncoding = new(StandardIds.ReferenceTypes.HasEncoding);
    private static readonly NodeId HasComponent = new(StandardIds.ReferenceTypes.HasComponent);
    private static readonly NodeId HasProperty = new(StandardIds.ReferenceTypes.HasProperty);
    private static readonly NodeId HasSubtype = new(StandardIds.ReferenceTypes.HasSubtype);

    /// <summary>As it is while the types settle: others see the end of it alone.</summary>
    private readonly NamespaceMap _map = map.Copy();

    /// <summary>Of each whole that has any.</summary>
    private readonly Lazy<ILookup<NodeId, NodeId>> _parts = new(() => PartsOf(space));

    /// <summary>Of each type the others whose comparison asks for its id here.</summary>
    private readonly Lazy<ILookup<NodeId, BrowsedNode>> _users = new(() => UsersOf(space));

    /// <summary>Of the upstream's ids.</summary>
    private readonly HashSet<NodeId> _moved = [];

    private TypeEquality? _types;

    /// <summary>Types that are there with other contents; each moves.</summary>
    public int Differing { get; private set; }

    /// <summary>The first of them, as the upstream names it.</summary>
    public NodeId FirstDiffering { get; private set; }

    /// <summary>Those that do not have the served URI's ids.</summary>
    public IReadOnlyCollection<NodeId> Moved => _moved;

    /// <summary>Types that were held against those that are there.</summary>
    internal long Compared { get; private set; }

    public void Settle(IEnumerable<NodeId> movedBefore)
    {
        _moved.UnionWith(movedBefore);
        _map.Exceptions = [];
        var open = new Queue<BrowsedNode>();
        foreach (var node in space.Nodes.Values)
        {
            if (!node.IsModel)
                continue;
            open.Enqueue(node);
            Place(node.Id);
        }

        // A DataType that is the same though one that it uses has moved cannot be compared. So none is looked at for
        // each of its fields, however many these are (R44).
        var settled = new HashSet<NodeId>();
        while (open.TryDequeue(out var node))
        {
            if (_moved.Contains(node.Id) || !Differs(node))
                continue;
            if (Differing++ == 0)
                FirstDiffering = node.Id;
            foreach (var moved in Move(node.Id))
            {
                foreach (var user in _users.Value[moved])
                {
                    if (user.NodeClass != NodeClass.DataType || settled.Add(user.Id))
                        open.Enqueue(user);
                }
            }
        }

        if (!_map.Exceptions.SetEquals(map.Exceptions))
            map.Exceptions = _map.Exceptions;
    }

    /// <summary>An exception, or none.</summary>
    private void Place(NodeId id)
    {
        if (_map.ClaimOf(id.NamespaceIndex) is not { } claim)
            return;
        _ = claim.IsOwner == _moved.Contains(id) ? _map.Exceptions.Add(id) : _map.Exceptions.Remove(id);
    }

    /// <returns>With what belongs to it. A part may have parts, in any order and depth: each reference is followed once
    /// (R44).</returns>
    private List<NodeId> Move(NodeId type)
    {
        List<NodeId> moved = [type];
        _moved.Add(type);
        for (var i = 0; i < moved.Count; i++)
        {
            Place(moved[i]);
            moved.AddRange(_parts.Value[moved[i]].Where(_moved.Add));
        }

        return moved;
    }

    private static ILookup<NodeId, BrowsedNode> UsersOf(BrowsedSpace space)
    {
        List<(NodeId Type, BrowsedNode User)> users = [];
        foreach (var reference in space.References)
        {
            // A DataType is compared by its fields alone.
            if (reference.ReferenceType == HasSubtype && space.Nodes.TryGetValue(reference.Target, out var subtype) &&
                subtype.NodeClass != NodeClass.DataType)
                users.Add((reference.Source, subtype));
        }

        foreach (var node in space.Nodes.Values)
        {
            if (!node.IsModel)
                continue;
            if (node.NodeClass == NodeClass.VariableType)
                users.Add((node.Facts.DataType, node));
            if (node.Definition is StructureDefinition { Fields: { } fields })
                users.AddRange(fields.Select(static field => field.DataType).Distinct().Select(type => (type, node)));
        }

        return users.ToLookup(static one => one.Type, static one => one.User);
    }

    private static ILookup<NodeId, NodeId> PartsOf(BrowsedSpace space) => space.References
        .Where(one => space.Nodes.TryGetValue(one.Target, out var part) && part.IsModel &&
            IsPart(one.ReferenceType, part))
        .ToLookup(static one => one.Source, static one => one.Target);

    /// <summary>Nothing but a type's own declarations is below it in the model.</summary>
    private static bool IsPart(NodeId referenceType, BrowsedNode part) =>
        referenceType == HasEncoding || referenceType == HasProperty || (referenceType == HasComponent &&
            part.NodeClass is NodeClass.Object or NodeClass.Variable or NodeClass.Method);

    private TypeEquality Types => _types ??= new TypeEquality(space, nodes, _map);

    private bool Differs(BrowsedNode node)
    {
        Compared++;
        if (!_map.TryToLocal(node.Id, out var id))
            return false;
        var there = nodes.Find(id);
        var isGateways = _map.IsGateways(node.Id.NamespaceIndex) && shared.HoldersOf(id) == 0;
        if (there.IsNone)
            return isGateways;
        // We alone have it, and may change it.
        if (held.Contains(id) && shared.HoldersOf(id) <= 1)
            return false;
        var mapper = new ValueMapper(_map, toLocal: true);
        if ((shared.HoldersOf(id) == 0 && !isGateways) || nodes.GetNodeClass(there) != node.NodeClass ||
            nodes.GetBrowseName(there) != mapper.Map(node.BrowseName))
            return true;
        return node.NodeClass switch
        {
            NodeClass.DataType => !DefinitionEquality.Agree(
                new DefinitionTranslator(space, nodes, _map).Translate(node.Definition), DefinitionOf(there)),
            NodeClass.ObjectType or NodeClass.VariableType or NodeClass.ReferenceType => !Types.Agree(node, there),
            _ => false,
        };
    }

    private DataTypeDefinition? DefinitionOf(NodeHandle dataType) =>
        nodes.ReadAttribute(dataType, AttributeId.DataTypeDefinition, out var value).IsGood
            ? value.AsStructure<DataTypeDefinition>()
            : null;
}
