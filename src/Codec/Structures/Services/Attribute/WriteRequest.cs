namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.11.4.</summary>
[Structure(671, 673)]
public sealed partial class WriteRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public WriteValue[]? NodesToWrite { get; init; }
}
