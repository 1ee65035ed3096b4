using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.9.5.</summary>
[Structure(561, 563)]
public sealed partial class RegisterNodesResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public NodeId[]? RegisteredNodeIds { get; init; }
}
