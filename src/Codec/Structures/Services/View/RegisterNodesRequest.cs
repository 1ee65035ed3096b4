using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.9.5.</summary>
[Structure(558, 560)]
public sealed partial class RegisterNodesRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public NodeId[]? NodesToRegister { get; init; }
}
