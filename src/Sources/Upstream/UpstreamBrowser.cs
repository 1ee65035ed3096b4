using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.Upstream;

/// <summary>Walks the hierarchical references from the roots, breadth first: Objects, Variables and Methods outside
/// namespace 0, whose nodes the gateway has itself.</summary>
internal sealed class UpstreamBrowser(IUpstreamSession session, UpstreamLimits limits, int maxNodes)
{
    private const uint ClassMask = (uint)(NodeClass.Object | NodeClass.Variable | NodeClass.Method);
    private const uint AllFields = 63;

    private readonly BrowsedSpace _space = new();

    /// <param name="roots">The upstream's ids. One of namespace 0 (Objects) stands for its children.</param>
    /// <param name="cancellation">Ends the walk.</param>
    public async ValueTask<BrowsedSpace> BrowseAsync(NodeId[] roots, CancellationToken cancellation)
    {
        List<NodeId> level = [.. roots];
        await AddRootsAsync(roots, cancellation).ConfigureAwait(false);
        while (level.Count > 0)
        {
            var found = await session.BrowseAsync(
                level.ConvertAll(Description), limits.NodesPerBrowse, cancellation).ConfigureAwait(false);
            List<NodeId> next = [];
            for (var i = 0; i < level.Count; i++)
            {
                foreach (var reference in found[i])
                    Visit(level[i], reference, next);
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
            if (_space.Nodes.Count >= maxNodes)
            {
                _space.Skipped++;
                return;
            }

            _space.Nodes.Add(target, new BrowsedNode
            {
                Id = target,
                NodeClass = reference.NodeClass,
                BrowseName = reference.BrowseName,
                DisplayName = reference.DisplayName,
                TypeDefinition = reference.TypeDefinition.IsLocal ? reference.TypeDefinition.NodeId : default,
                IsProperty = reference.ReferenceTypeId == new NodeId(StandardIds.ReferenceTypes.HasProperty),
            });
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
            var reads = Array.ConvertAll(
                attributes, attribute => new ReadValueId { NodeId = root, AttributeId = (uint)attribute });
            var values = await session.ReadAsync(reads, 0, limits.NodesPerRead, cancellation).ConfigureAwait(false);
            if (values[0].Status.IsBad)
                continue;
            _space.Nodes.Add(root, new BrowsedNode
            {
                Id = root,
                NodeClass = (NodeClass)values[0].Value.AsInt32(),
                BrowseName = values[1].Value.AsQualifiedName(),
                DisplayName = values[2].Value.AsLocalizedText(),
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
