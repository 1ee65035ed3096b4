using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>Which ReferenceTypes of an upstream are hierarchical: the standard's are known, its own are learned while
/// they are browsed. Owner: one browse.</summary>
internal sealed class ReferenceHierarchy(NodeTable nodes)
{
    private static readonly NodeId Hierarchical = new(StandardIds.ReferenceTypes.HierarchicalReferences);

    private readonly Dictionary<NodeId, bool> _known = [];

    public bool IsHierarchical(NodeId referenceType)
    {
        if (!_known.TryGetValue(referenceType, out var known) && referenceType.NamespaceIndex == 0)
            _known[referenceType] = known = nodes.IsSubtypeOf(referenceType, Hierarchical);
        return known;
    }

    /// <summary>As HasSubtype says, from the top down.</summary>
    public void Learn(NodeId superType, NodeId subType)
    {
        if (subType.NamespaceIndex != 0)
            _known[subType] = IsHierarchical(superType);
    }
}
