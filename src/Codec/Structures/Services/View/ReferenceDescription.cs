using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(518, 520)]
public readonly partial record struct ReferenceDescription
{
    public NodeId ReferenceTypeId { get; init; }

    public bool IsForward { get; init; }

    public ExpandedNodeId NodeId { get; init; }

    public QualifiedName BrowseName { get; init; }

    public LocalizedText DisplayName { get; init; }

    public NodeClass NodeClass { get; init; }

    public ExpandedNodeId TypeDefinition { get; init; }
}
