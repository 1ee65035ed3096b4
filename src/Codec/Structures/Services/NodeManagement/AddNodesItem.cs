using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(376, 378)]
public sealed partial class AddNodesItem
{
    public ExpandedNodeId ParentNodeId { get; init; }

    public NodeId ReferenceTypeId { get; init; }

    public ExpandedNodeId RequestedNewNodeId { get; init; }

    public QualifiedName BrowseName { get; init; }

    public NodeClass NodeClass { get; init; }

    public ExtensionObject NodeAttributes { get; init; }

    public ExpandedNodeId TypeDefinition { get; init; }
}
