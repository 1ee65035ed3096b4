using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(379, 381)]
public sealed partial class AddReferencesItem
{
    public NodeId SourceNodeId { get; init; }

    public NodeId ReferenceTypeId { get; init; }

    public bool IsForward { get; init; }

    public string? TargetServerUri { get; init; }

    public ExpandedNodeId TargetNodeId { get; init; }

    public NodeClass TargetNodeClass { get; init; }
}
