using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(385, 387)]
public sealed partial class DeleteReferencesItem
{
    public NodeId SourceNodeId { get; init; }

    public NodeId ReferenceTypeId { get; init; }

    public bool IsForward { get; init; }

    public ExpandedNodeId TargetNodeId { get; init; }

    public bool DeleteBidirectional { get; init; }
}
