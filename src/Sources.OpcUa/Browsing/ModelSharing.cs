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

    private readonly TypeEquality _types = new(space, nodes, map);

    /// <summary>Of each whole that has any.</summary>
    private readonly Lazy<ILookup<NodeId, NodeId>> _parts = new(() => PartsOf(space));

    /// <summary>Of the upstream's ids.</summary>
    private readonly HashSet<NodeId> _moved = [];

    /// <summary>Types that are there with other contents; each moves.</summary>
    public int Differing { get; private set; }

    /// <summary>The first of them, as the upstream names it.</summary>
    public NodeId FirstDiffering { get; private set; }

    public void Settle(IEnumerable<NodeId> movedBefore)
    {
        _moved.UnionWith(movedBefore);
        var models = space.Nodes.Values.Where(static node => node.IsModel).ToList();
        Publish(models);
        // A type that uses one that has moved differs from then on, too.
        for (var found = -1; found != 0; Publish(models))
        {
            var moving = models.FindAll(node => !_moved.Contains(node.Id) && Differs(node));
            found = moving.Count;
            if (found == 0)
                break;
            if (Differing == 0)
                FirstDiffering = moving[0].Id;
            Differing += found;
            Move(moving);
        }
    }

    /// <summary>Those that do not have the served URI's ids.</summary>
    public IReadOnlyCollection<NodeId> Moved => _moved;

    private void Publish(List<BrowsedNode> models)
    {
        HashSet<NodeId> exceptions = [];
        foreach (var node in models)
        {
            if (map.ClaimOf(node.Id.NamespaceIndex) is { } claim && claim.IsOwner == _moved.Contains(node.Id))
                exceptions.Add(node.Id);
        }

        if (!exceptions.SetEquals(map.Exceptions))
            map.Exceptions = exceptions;
    }

    private void Move(List<BrowsedNode> moving)
    {
        foreach (var node in moving)
            _moved.Add(node.Id);
        // A part may have parts, in any order and depth: each reference is followed once (R44).
        var open = new Queue<NodeId>(_moved);
        while (open.TryDequeue(out var whole))
        {
            foreach (var part in _parts.Value[whole])
            {
                if (_moved.Add(part))
                    open.Enqueue(part);
            }
        }
    }

    private static ILookup<NodeId, NodeId> PartsOf(BrowsedSpace space) => space.References
        .Where(one => space.Nodes.TryGetValue(one.Target, out var part) && part.IsModel &&
            IsPart(one.ReferenceType, part))
        .ToLookup(static one => one.Source, static one => one.Target);

    /// <summary>Nothing but a type's own declarations is below it in the model.</summary>
    private static bool IsPart(NodeId referenceType, BrowsedNode part) =>
        referenceType == HasEncoding || referenceType == HasProperty || (referenceType == HasComponent &&
            part.NodeClass is NodeClass.Object or NodeClass.Variable or NodeClass.Method);

    private bool Differs(BrowsedNode node)
    {
        if (!map.TryToLocal(node.Id, out var id))
            return false;
        var there = nodes.Find(id);
        var isGateways = map.IsGateways(node.Id.NamespaceIndex) && shared.HoldersOf(id) == 0;
        if (there.IsNone)
            return isGateways;
        // We alone have it, and may change it.
        if (held.Contains(id) && shared.HoldersOf(id) <= 1)
            return false;
        var mapper = new ValueMapper(map, toLocal: true);
        if ((shared.HoldersOf(id) == 0 && !isGateways) || nodes.GetNodeClass(there) != node.NodeClass ||
            nodes.GetBrowseName(there) != mapper.Map(node.BrowseName))
            return true;
        return node.NodeClass switch
        {
            NodeClass.DataType => !DefinitionEquality.Agree(
                new DefinitionTranslator(space, nodes, map).Translate(node.Definition), DefinitionOf(there)),
            NodeClass.ObjectType or NodeClass.VariableType or NodeClass.ReferenceType => !_types.Agree(node, there),
            _ => false,
        };
    }

    private DataTypeDefinition? DefinitionOf(NodeHandle dataType) =>
        nodes.ReadAttribute(dataType, AttributeId.DataTypeDefinition, out var value).IsGood
            ? value.AsStructure<DataTypeDefinition>()
            : null;
}
