using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.9.6.</summary>
[Structure(564, 566)]
public sealed partial class UnregisterNodesRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public NodeId[]? NodesToUnregister { get; init; }
}
