using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>Walks the hierarchical references from the roots, breadth first: Objects, Variables, Methods and Views
/// outside namespace 0, whose nodes the gateway has itself. Other references between nodes are kept, and not followed.
/// Nodes that cannot be served (a namespace without an index here, a name without end) are counted and not followed.
/// </summary>
internal sealed class UpstreamBrowser
{
    /// <summary>All but VariableType, where only HasTypeDefinition leads: what leads to the node says that, too.
    /// </summary>
    private const uint ClassMask = 0xFF & ~(uint)NodeClass.VariableType;

    private const uint InstanceMask =
        (uint)(NodeClass.Object | NodeClass.Variable | NodeClass.Method | NodeClass.View);

    private const uint AllFields = 63;

    private static readonly NodeId HasTypeDefinition = new(StandardIds.ReferenceTypes.HasTypeDefinition);

    private readonly UpstreamLink _link;
    private readonly BrowseBudget _budget;
    private readonly int _maxNodes;
    private readonly BrowsedSpace _space;
    private readonly ReferenceHierarchy _hierarchy;
    private readonly NodeIntake _intake;

    /// <param name="link">To the upstream.</param>
    /// <param name="budget">Of the whole browse.</param>
    /// <param name="space">With the types, if they are there already.</param>
    /// <param name="hierarchy">Knows the upstream's ReferenceTypes.</param>
    /// <param name="maxNodes">Below the roots.</param>
    public UpstreamBrowser(
        UpstreamLink link, BrowseBudget budget, BrowsedSpace space, ReferenceHierarchy hierarchy, int maxNodes)
    {
        (_link, _budget, _space, _hierarchy, _maxNodes) = (link, budget, space, hierarchy, maxNodes);
        _intake = new NodeIntake(link, budget, _space);
    }

    /// <param name="roots">The upstream's ids. One of namespace 0 (Objects) stands for its children.</param>
    /// <param name="cancellation">Ends the walk.</param>
    public async ValueTask<BrowsedSpace> BrowseAsync(NodeId[] roots, CancellationToken cancellation)
    {
        List<NodeId> level = [.. roots];
        await AddRootsAsync(roots, cancellation).ConfigureAwait(false);
        while (level.Count > 0)
        {
            List<NodeId> next = [];
            var found = _link.Session.BrowseAsync(
                level.ConvertAll(Description), _link.Sizes.NodesPerBrowse, _budget, cancellation);
            await foreach (var (node, result) in found.ConfigureAwait(false))
            {
                if (result.StatusCode.IsBad)
                    _space.OnRefused(level[node], result.StatusCode);
                foreach (var reference in result.References ?? [])
                    Visit(level[node], reference, next);
            }

            level = next;
        }

        return _space;
    }

    private void Visit(NodeId source, in ReferenceDescription reference, List<NodeId> next)
    {
        if (!reference.IsForward || !reference.NodeId.IsLocal)
            return;
        var (type, target) = (reference.ReferenceTypeId, reference.NodeId.NodeId);
        var isDown = _hierarchy.IsHierarchical(type);
        var isOwn = target.NamespaceIndex != 0;
        if (type == HasTypeDefinition && _space.Nodes.TryGetValue(source, out var node))
            node.TypeDefinition = target;
        else if (isDown ? isOwn && TryTake(source, reference, next) : source.NamespaceIndex != 0)
            _space.References.Add(new BrowsedReference(source.NamespaceIndex == 0 ? default : source, type, target));
    }

    /// <summary>False: it is not served.</summary>
    private bool TryTake(NodeId source, in ReferenceDescription reference, List<NodeId> next)
    {
        var target = reference.NodeId.NodeId;
        if (_space.Nodes.ContainsKey(target))
            return true;
        if (((uint)reference.NodeClass & InstanceMask) == 0 || !_intake.CanBeServed(target, reference.BrowseName))
            return false;
        if (_space.Nodes.Count - _space.Models >= _maxNodes)
        {
            _space.Skipped++;
            return false;
        }

        _intake.Add(reference).Parent = source.NamespaceIndex == 0 ? default : source;
        next.Add(target);
        return true;
    }

    /// <summary>A configured root is itself a node to serve; its class and names have to be read.</summary>
    private async ValueTask AddRootsAsync(NodeId[] roots, CancellationToken cancellation)
    {
        AttributeId[] attributes = [AttributeId.NodeClass, AttributeId.BrowseName, AttributeId.DisplayName];
        foreach (var root in roots)
        {
            if (root.NamespaceIndex == 0 || _space.Nodes.ContainsKey(root))
                continue;
            _budget.CheckTime();
            var reads = Array.ConvertAll(
                attributes, attribute => new ReadValueId { NodeId = root, AttributeId = (uint)attribute });
            var allowance = new ValueAllowance(_budget.Limits.MaxUpstreamAnswerBytes);
            var values = await _link.Session.ReadAsync(reads, 0, _link.Sizes.NodesPerRead, allowance, cancellation)
                .ConfigureAwait(false);
            var browseName = values[1].Value.AsQualifiedName();
            if (values[0].Status.IsBad || !_intake.CanBeServed(root, browseName))
                continue;
            _space.Nodes.Add(root, new BrowsedNode
            {
                Id = root,
                NodeClass = (NodeClass)values[0].Value.AsInt32(),
                BrowseName = browseName,
                DisplayName = _budget.Cut(values[2].Value.AsLocalizedText()),
            });
            _space.References.Add(
                new BrowsedReference(default, new NodeId(StandardIds.ReferenceTypes.Organizes), root));
        }
    }

    private static BrowseDescription Description(NodeId node) => new()
    {
        NodeId = node,
        BrowseDirection = BrowseDirection.Forward,
        IncludeSubtypes = true,
        NodeClassMask = ClassMask,
        ResultMask = AllFields,
    };
}
