namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.5.2.</summary>
[Structure(420, 422)]
public sealed partial class FindServersRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public string? EndpointUrl { get; init; }

    public string?[]? LocaleIds { get; init; }

    public string?[]? ServerUris { get; init; }
}
