namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.5.4.</summary>
[Structure(429, 431)]
public sealed partial class GetEndpointsResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public EndpointDescription[]? Endpoints { get; init; }
}
