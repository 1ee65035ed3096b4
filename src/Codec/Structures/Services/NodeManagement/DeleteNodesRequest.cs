namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.8.4.</summary>
[Structure(498, 500)]
public sealed partial class DeleteNodesRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public DeleteNodesItem[]? NodesToDelete { get; init; }
}
