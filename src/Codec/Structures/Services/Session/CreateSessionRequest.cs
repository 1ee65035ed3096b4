namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.7.2.</summary>
[Structure(459, 461)]
public sealed partial class CreateSessionRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public ApplicationDescription ClientDescription { get; init; } = new();

    public string? ServerUri { get; init; }

    public string? EndpointUrl { get; init; }

    public string? SessionName { get; init; }

    public byte[]? ClientNonce { get; init; }

    public byte[]? ClientCertificate { get; init; }

    public double RequestedSessionTimeout { get; init; }

    public uint MaxResponseMessageSize { get; init; }
}
