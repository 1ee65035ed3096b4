using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(483, 485)]
public sealed partial class AddNodesResult
{
    public StatusCode StatusCode { get; init; }

    public NodeId AddedNodeId { get; init; }
}
