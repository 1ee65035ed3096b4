using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>Walks the upstream's types down from those of the standard, breadth first: of its own namespaces the types
/// with all that belongs to them (instance declarations, encodings, properties), each with all its forward references.
/// Those of namespace 0 are the gateway's, and only lead to others. Source: Part 3 §4.6, §5.5 to §5.8.</summary>
internal sealed class ModelBrowser(
    UpstreamLink link, BrowseBudget budget, BrowsedSpace space, ReferenceHierarchy hierarchy, int maxNodes)
{
    private const uint TypeMask =
        (uint)(NodeClass.DataType | NodeClass.ObjectType | NodeClass.VariableType | NodeClass.ReferenceType);

    private const uint AllFields = 63;

    /// <summary>XmlSchema_TypeSystem and OPCBinarySchema_TypeSystem. Source: Part 5 Annex D.</summary>
    private static readonly uint[] TypeSystems = [92, 93];

    private static readonly NodeId HasSubtype = new(StandardIds.ReferenceTypes.HasSubtype);
    private static readonly NodeId HasComponent = new(StandardIds.ReferenceTypes.HasComponent);
    private static readonly NodeId HasModellingRule = new(StandardIds.ReferenceTypes.HasModellingRule);
    private static readonly NodeId HasTypeDefinition = new(StandardIds.ReferenceTypes.HasTypeDefinition);

    /// <summary>An encoding belongs to its DataType, a description to its encoding, without a hierarchy.</summary>
    private static readonly NodeId[] Belonging =
        [new(StandardIds.ReferenceTypes.HasEncoding), new(StandardIds.ReferenceTypes.HasDescription)];

    /// <summary>The ReferenceTypes first: they say which references lead down. Last the type dictionaries of servers
    /// from before DataTypeDefinition.</summary>
    private static readonly uint[][] Tops =
    [
        [StandardIds.ReferenceTypes.References],
        [
            StandardIds.ObjectTypes.BaseObjectType, StandardIds.VariableTypes.BaseVariableType,
            StandardIds.DataTypes.BaseDataType,
        ],
        TypeSystems,
    ];

    private readonly NodeIntake _intake = new(link, budget, space);
    private readonly HashSet<NodeId> _met = [];

    /// <summary>Nodes that no hierarchy leads to: their references say whether they are declarations.</summary>
    private readonly Dictionary<NodeId, ReferenceDescription> _candidates = [];

    private readonly HashSet<NodeId> _rejected = [];
    private int _types;

    public async ValueTask BrowseAsync(CancellationToken cancellation)
    {
        foreach (var top in Tops)
        {
            List<NodeId> level = [.. Array.ConvertAll(top, id => new NodeId(id))];
            while (level.Count > 0)
                level = await DescendAsync(level, cancellation).ConfigureAwait(false);
        }
    }

    private async ValueTask<List<NodeId>> DescendAsync(List<NodeId> level, CancellationToken cancellation)
    {
        List<NodeId> next = [];
        var found = link.Session.BrowseAsync(
            level.ConvertAll(Description), link.Sizes.NodesPerBrowse, budget, cancellation);
        await foreach (var (node, result) in found.ConfigureAwait(false))
        {
            if (result.StatusCode.IsBad)
                space.OnRefused(level[node], result.StatusCode);
            if (_candidates.Remove(level[node], out var candidate) && !TryAdopt(candidate, result))
                continue;
            foreach (var reference in result.References ?? [])
                Visit(level[node], reference, next);
        }

        foreach (var id in level)
        {
            if (space.Nodes.TryGetValue(id, out var node))
                node.IsBrowsed = true;
        }

        return next;
    }

    private void Visit(NodeId source, in ReferenceDescription reference, List<NodeId> next)
    {
        if (!reference.IsForward || !reference.NodeId.IsLocal)
            return;
        var (type, target) = (reference.ReferenceTypeId, reference.NodeId.NodeId);
        if (type == HasSubtype && reference.NodeClass == NodeClass.ReferenceType)
            hierarchy.Learn(source, target);
        if (target.NamespaceIndex == 0)
        {
            VisitStandard(source, reference, next);
            return;
        }

        var isBelow = hierarchy.IsHierarchical(type) || Belonging.Contains(type);
        if (isBelow && !TryTake(reference, next))
            return;
        if (!isBelow && ((uint)reference.NodeClass & TypeMask) == 0 && !_rejected.Contains(target) && _met.Add(target))
        {
            _candidates.Add(target, reference);
            next.Add(target);
        }

        Record(source, type, target);
    }

    /// <summary>Where another reference leads, an instance declaration belongs to the model, too.</summary>
    private bool TryAdopt(in ReferenceDescription candidate, BrowseResult result)
    {
        var isDeclaration = Array.Exists(
            result.References ?? [], one => one.IsForward && one.ReferenceTypeId == HasModellingRule);
        _met.Remove(candidate.NodeId.NodeId);
        if (!isDeclaration)
            _rejected.Add(candidate.NodeId.NodeId);
        return isDeclaration && TryTake(candidate, []);
    }

    private void VisitStandard(NodeId source, in ReferenceDescription reference, List<NodeId> next)
    {
        var target = reference.NodeId.NodeId;
        // The standard's nodes lie below nothing of an upstream, and no type of it is their supertype.
        var type = reference.ReferenceTypeId;
        if (source.NamespaceIndex != 0 && !hierarchy.IsHierarchical(type) && !Belonging.Contains(type))
            Record(source, type, target);
        else if (source.NamespaceIndex == 0 && reference.ReferenceTypeId == HasSubtype && _met.Add(target))
            next.Add(target);
    }

    /// <summary>False: it is not served.</summary>
    private bool TryTake(in ReferenceDescription reference, List<NodeId> next)
    {
        var target = reference.NodeId.NodeId;
        var isKnown = space.Nodes.TryGetValue(target, out var node);
        // A candidate stands in the next level already.
        var isCandidate = _candidates.Remove(target);
        if (!_met.Add(target) && !isCandidate)
            return isKnown;
        if (node is null)
        {
            if (!_intake.CanBeServed(target, reference.BrowseName))
                return false;
            if (((uint)reference.NodeClass & TypeMask) != 0 && _types++ >= budget.Limits.MaxUpstreamDataTypes)
            {
                space.UnresolvedTypes++;
                return false;
            }

            if (space.Models >= maxNodes)
            {
                space.Skipped++;
                return false;
            }

            node = _intake.Add(reference);
        }

        node.IsModel = true;
        space.Models++;
        if (!isCandidate)
            next.Add(target);
        return true;
    }

    private void Record(NodeId source, NodeId type, NodeId target)
    {
        if (space.Nodes.TryGetValue(source, out var node))
        {
            // Met from the instances, too.
            if (node.IsBrowsed)
                return;
            if (type == HasTypeDefinition)
            {
                node.TypeDefinition = target;
                return;
            }

            node.HasModellingRule |= type == HasModellingRule;
        }

        // A dictionary hangs below the gateway's own folder.
        space.References.Add(new BrowsedReference(source, type, target));
    }

    /// <summary>Of the standard's nodes only what leads to others; of the upstream's own all references.</summary>
    private static BrowseDescription Description(NodeId node) => new()
    {
        NodeId = node,
        BrowseDirection = BrowseDirection.Forward,
        ReferenceTypeId = node.NamespaceIndex != 0 ? default
            : TypeSystems.Contains(node.Numeric) ? HasComponent
            : HasSubtype,
        IncludeSubtypes = true,
        ResultMask = AllFields,
    };
}
