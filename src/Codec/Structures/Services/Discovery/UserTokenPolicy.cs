namespace Gateway.Codec.Structures;

[Structure(304, 306)]
public sealed partial class UserTokenPolicy
{
    public string? PolicyId { get; init; }

    public UserTokenType TokenType { get; init; }

    public string? IssuedTokenType { get; init; }

    public string? IssuerEndpointUrl { get; init; }

    public string? SecurityPolicyUri { get; init; }
}
