namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.7.5.</summary>
[Structure(477, 479)]
public sealed partial class CancelRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public uint RequestHandle { get; init; }
}
