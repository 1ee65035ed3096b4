using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(580, 582)]
public sealed partial class NodeReference
{
    public NodeId NodeId { get; init; }

    public NodeId ReferenceTypeId { get; init; }

    public bool IsForward { get; init; }

    public NodeId[]? ReferencedNodeIds { get; init; }
}
