namespace Gateway.Server.Users;

/// <summary>Where no authorization service is configured.</summary>
public sealed class NoTokens : ITokenValidator
{
    public static NoTokens Instance { get; } = new();

    public bool IsOffered => false;

    public bool TryGetKnown(ReadOnlySpan<byte> token, out TokenVerdict verdict)
    {
        verdict = default;
        return false;
    }

    public ValueTask<TokenVerdict> ValidateAsync(byte[] token, CancellationToken cancellationToken) =>
        new(new TokenVerdict(null, TokenFault.NotOffered, "tokens are not taken here (Jwt:Issuer)"));
}
