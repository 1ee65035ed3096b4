using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>The nearest DataType that the gateway has: the type itself, which <see cref="ModelBrowser"/> has found,
/// else its first supertype in namespace 0 (an enumeration that was not found is an Enumeration).</summary>
internal sealed class DataTypeResolver(UpstreamLink link, BrowseBudget budget, NodeTable nodes)
{
    private const int MaxDepth = 32;

    private readonly Dictionary<NodeId, NodeId> _resolved = [];

    public async ValueTask ResolveAsync(BrowsedSpace space, CancellationToken cancellation)
    {
        // All unknown types climb together: one request a level, however many there are.
        Dictionary<NodeId, NodeId> climbing = [];
        foreach (var node in space.Nodes.Values)
        {
            if (node.NodeClass != NodeClass.Variable || IsKnown(space, node.Facts.DataType))
                continue;
            if (climbing.Count < budget.Limits.MaxUpstreamDataTypes)
                climbing.TryAdd(node.Facts.DataType, node.Facts.DataType);
            else if (!climbing.ContainsKey(node.Facts.DataType))
                space.UnresolvedTypes++;
        }

        for (var depth = 0; climbing.Count > 0 && depth < MaxDepth; depth++)
            climbing = await ClimbAsync(space, climbing, cancellation).ConfigureAwait(false);
        foreach (var node in space.Nodes.Values)
        {
            if (node.NodeClass == NodeClass.Variable && !IsKnown(space, node.Facts.DataType))
                node.Facts = node.Facts with { DataType = Resolved(node.Facts.DataType) };
        }
    }

    /// <param name="space">With the types that were found.</param>
    /// <param name="climbing">Where each type stands now.</param>
    /// <param name="cancellation">Ends the climb.</param>
    /// <returns>Those that are not there yet.</returns>
    private async ValueTask<Dictionary<NodeId, NodeId>> ClimbAsync(
        BrowsedSpace space, Dictionary<NodeId, NodeId> climbing, CancellationToken cancellation)
    {
        List<NodeId> types = [.. climbing.Keys];
        var supers = new NodeId[types.Count];
        var found = link.Session.BrowseAsync(
            types.ConvertAll(type => SuperTypeOf(climbing[type])), link.Sizes.NodesPerBrowse, budget, cancellation);
        await foreach (var (type, result) in found.ConfigureAwait(false))
        {
            if (supers[type].IsNull && result.References is [var first, ..] && first.NodeId.IsLocal)
                supers[type] = first.NodeId.NodeId;
        }

        Dictionary<NodeId, NodeId> left = [];
        for (var i = 0; i < types.Count; i++)
        {
            if (IsKnown(space, supers[i]))
                _resolved[types[i]] = supers[i];
            else if (!supers[i].IsNull)
                left[types[i]] = supers[i];
        }

        return left;
    }

    private NodeId Resolved(NodeId type) =>
        _resolved.TryGetValue(type, out var known) ? known : new NodeId(StandardIds.DataTypes.BaseDataType);

    private bool IsKnown(BrowsedSpace space, NodeId type) => type.NamespaceIndex == 0
        ? !nodes.Find(type).IsNone
        : space.Nodes.TryGetValue(type, out var found) && found.NodeClass == NodeClass.DataType;

    private static BrowseDescription SuperTypeOf(NodeId type) => new()
    {
        NodeId = type,
        BrowseDirection = BrowseDirection.Inverse,
        ReferenceTypeId = new NodeId(StandardIds.ReferenceTypes.HasSubtype),
        IncludeSubtypes = true,
        ResultMask = 1,
    };
}
