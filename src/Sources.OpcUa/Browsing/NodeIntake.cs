using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>Takes found nodes into a <see cref="BrowsedSpace"/>, and counts those that cannot be served: a namespace
/// without an index here, a name without end.</summary>
internal sealed class NodeIntake(UpstreamLink link, BrowseBudget budget, BrowsedSpace space)
{
    public bool CanBeServed(NodeId id, QualifiedName browseName)
    {
        if (!link.Namespaces.CanMap(id.NamespaceIndex) || !link.Namespaces.CanMap(browseName.NamespaceIndex))
        {
            space.Unmapped++;
            return false;
        }

        var longest = budget.Limits.MaxUpstreamTextLength;
        if (id.String?.Length > longest || id.Opaque?.Length > longest || browseName.Name?.Length > longest)
        {
            space.Overlong++;
            return false;
        }

        return true;
    }

    public BrowsedNode Add(in ReferenceDescription reference)
    {
        budget.TakeNode(reference);
        var node = new BrowsedNode
        {
            Id = reference.NodeId.NodeId,
            NodeClass = reference.NodeClass,
            BrowseName = reference.BrowseName,
            DisplayName = budget.Cut(reference.DisplayName),
            TypeDefinition = reference.TypeDefinition.IsLocal ? reference.TypeDefinition.NodeId : default,
            IsProperty = reference.ReferenceTypeId == new NodeId(StandardIds.ReferenceTypes.HasProperty),
        };
        space.Nodes.Add(node.Id, node);
        return node;
    }
}
