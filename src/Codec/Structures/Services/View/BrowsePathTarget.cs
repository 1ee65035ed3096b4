using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(546, 548)]
public readonly partial record struct BrowsePathTarget
{
    public ExpandedNodeId TargetId { get; init; }

    public uint RemainingPathIndex { get; init; }
}
