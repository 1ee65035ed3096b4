using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(32659, 32661)]
public sealed partial class ReferenceDescriptionDataType
{
    public NodeId SourceNode { get; init; }

    public NodeId ReferenceType { get; init; }

    public bool IsForward { get; init; }

    public ExpandedNodeId TargetNode { get; init; }
}
