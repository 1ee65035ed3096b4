using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(32660, 32662)]
public sealed partial class ReferenceListEntryDataType
{
    public NodeId ReferenceType { get; init; }

    public bool IsForward { get; init; }

    public ExpandedNodeId TargetNode { get; init; }
}
