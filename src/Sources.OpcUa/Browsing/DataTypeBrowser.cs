using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>Walks the upstream's DataTypes down from BaseDataType, breadth first: those of its own namespaces with
/// their encodings and properties. Those of namespace 0 are the gateway's, and only lead to others. Source: Part 3
/// §5.8.3, §5.8.4.</summary>
internal sealed class DataTypeBrowser(UpstreamLink link, BrowseBudget budget, BrowsedSpace space)
{
    private const uint ClassMask = (uint)(NodeClass.DataType | NodeClass.Object | NodeClass.Variable);
    private const uint AllFields = 63;

    private static readonly NodeId HasSubtype = new(StandardIds.ReferenceTypes.HasSubtype);
    private static readonly NodeId HasEncoding = new(StandardIds.ReferenceTypes.HasEncoding);
    private static readonly NodeId HasProperty = new(StandardIds.ReferenceTypes.HasProperty);

    private readonly NodeIntake _intake = new(link, budget, space);
    private readonly HashSet<NodeId> _met = [];
    private readonly List<BrowsedNode> _found = [];
    private int _types;

    /// <returns>The nodes found, all of them in the space.</returns>
    public async ValueTask<IReadOnlyList<BrowsedNode>> BrowseAsync(CancellationToken cancellation)
    {
        List<NodeId> level = [new NodeId(StandardIds.DataTypes.BaseDataType)];
        while (level.Count > 0)
        {
            List<NodeId> next = [];
            var found = link.Session.BrowseAsync(
                level.ConvertAll(Description), link.Sizes.NodesPerBrowse, budget, cancellation);
            await foreach (var (type, result) in found.ConfigureAwait(false))
            {
                if (result.StatusCode.IsBad)
                    space.OnRefused(level[type], result.StatusCode);
                foreach (var reference in result.References ?? [])
                    Visit(level[type], reference, next);
            }

            level = next;
        }

        return _found;
    }

    private void Visit(NodeId type, in ReferenceDescription reference, List<NodeId> next)
    {
        if (!reference.IsForward || !reference.NodeId.IsLocal)
            return;
        var target = reference.NodeId.NodeId;
        var isType = reference.ReferenceTypeId == HasSubtype && reference.NodeClass == NodeClass.DataType;
        if (target.NamespaceIndex == 0)
        {
            if (isType && _met.Add(target))
                next.Add(target);
            return;
        }

        var isPart = (reference.ReferenceTypeId == HasEncoding && reference.NodeClass == NodeClass.Object) ||
            (reference.ReferenceTypeId == HasProperty && reference.NodeClass == NodeClass.Variable);
        if ((!isType && !isPart) || !_met.Add(target) || space.Nodes.ContainsKey(target) ||
            !_intake.CanBeServed(target, reference.BrowseName))
            return;
        if (isType && _types++ >= budget.Limits.MaxUpstreamDataTypes)
        {
            space.UnresolvedTypes++;
            return;
        }

        _found.Add(_intake.Add(reference));
        space.References.Add(new BrowsedReference(type, reference.ReferenceTypeId, target));
        if (isType)
            next.Add(target);
    }

    /// <summary>Of the standard's types only the subtypes; of the upstream's own all references.</summary>
    private static BrowseDescription Description(NodeId type) => new()
    {
        NodeId = type,
        BrowseDirection = BrowseDirection.Forward,
        ReferenceTypeId = type.NamespaceIndex == 0 ? HasSubtype : default,
        IncludeSubtypes = true,
        NodeClassMask = ClassMask,
        ResultMask = AllFields,
    };
}
