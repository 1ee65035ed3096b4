namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.10.4.</summary>
[Structure(619, 621)]
public sealed partial class QueryNextRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public bool ReleaseContinuationPoint { get; init; }

    public byte[]? ContinuationPoint { get; init; }
}
