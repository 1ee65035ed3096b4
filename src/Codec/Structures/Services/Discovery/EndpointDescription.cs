namespace Gateway.Codec.Structures;

[Structure(312, 314)]
public sealed partial class EndpointDescription
{
    public string? EndpointUrl { get; init; }

    public ApplicationDescription Server { get; init; } = new();

    public byte[]? ServerCertificate { get; init; }

    public MessageSecurityMode SecurityMode { get; init; }

    public string? SecurityPolicyUri { get; init; }

    public UserTokenPolicy[]? UserIdentityTokens { get; init; }

    public string? TransportProfileUri { get; init; }

    public byte SecurityLevel { get; init; }
}
