namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.9.3.</summary>
[Structure(531, 533)]
public sealed partial class BrowseNextRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public bool ReleaseContinuationPoints { get; init; }

    public byte[]?[]? ContinuationPoints { get; init; }
}
