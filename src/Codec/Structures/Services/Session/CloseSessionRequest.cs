namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.7.4.</summary>
[Structure(471, 473)]
public sealed partial class CloseSessionRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public bool DeleteSubscriptions { get; init; }
}
