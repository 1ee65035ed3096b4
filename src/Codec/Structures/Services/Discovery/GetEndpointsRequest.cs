namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.5.4.</summary>
[Structure(426, 428)]
public sealed partial class GetEndpointsRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public string? EndpointUrl { get; init; }

    public string?[]? LocaleIds { get; init; }

    public string?[]? ProfileUris { get; init; }
}
