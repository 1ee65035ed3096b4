using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>Walks the hierarchical references from the roots, breadth first: Objects, Variables and Methods outside
/// namespace 0, whose nodes the gateway has itself. Nodes that cannot be served (a namespace without an index here, a
/// name without end) are counted and not followed.</summary>
internal sealed class UpstreamBrowser
{
    private const uint ClassMask = (uint)(NodeClass.Object | NodeClass.Variable | NodeClass.Method);
    private const uint AllFields = 63;

    private readonly UpstreamLink _link;
    private readonly BrowseBudget _budget;
    private readonly int _maxNodes;
    private readonly BrowsedSpace _space = new();
    private readonly NodeIntake _intake;

    public UpstreamBrowser(UpstreamLink link, BrowseBudget budget, int maxNodes)
    {
        (_link, _budget, _maxNodes) = (link, budget, maxNodes);
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
        if (!reference.IsForward || !reference.NodeId.IsLocal || reference.NodeId.NodeId.NamespaceIndex == 0)
            return;
        var target = reference.NodeId.NodeId;
        if (!_space.Nodes.ContainsKey(target))
        {
            if (!_intake.CanBeServed(target, reference.BrowseName))
                return;
            if (_space.Nodes.Count >= _maxNodes)
            {
                _space.Skipped++;
                return;
            }

            _intake.Add(reference);
            next.Add(target);
        }

        var parent = source.NamespaceIndex == 0 ? default : source;
        _space.References.Add(new BrowsedReference(parent, reference.ReferenceTypeId, target));
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
        ReferenceTypeId = new NodeId(StandardIds.ReferenceTypes.HierarchicalReferences),
        IncludeSubtypes = true,
        NodeClassMask = ClassMask,
        ResultMask = AllFields,
    };
}
