namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.8.2.</summary>
[Structure(486, 488)]
public sealed partial class AddNodesRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public AddNodesItem[]? NodesToAdd { get; init; }
}
