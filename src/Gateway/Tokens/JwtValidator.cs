using System.Text;
using System.Text.Json;
using Gateway.Codec.Text;
using Gateway.Operations.Access;
using Gateway.Server;
using Gateway.Server.Users;
using Microsoft.IdentityModel.JsonWebTokens;
using Microsoft.IdentityModel.Tokens;

namespace Gateway.Host.Tokens;

/// <summary>
/// Checks JSON Web Tokens: signature, issuer, audience and times, by the library; which key and which algorithm may
/// have signed it is decided before, by the key, never by the token. Threads: any. Source: RFC 7519, RFC 8725, Part 6
/// §6.5.3.
/// </summary>
internal sealed class JwtValidator(
    JwtOptions options, ITokenKeys keys, KnownTokens known, RoleClaims roles, TokenCounters counters,
    ServerLimits limits, TimeProvider time) : ITokenValidator
{
    /// <summary>By which the clocks of the two sides may differ.</summary>
    public static readonly TimeSpan ClockSkew = TimeSpan.FromSeconds(30);

    private const int MaxSubjectLength = 256;

    /// <summary>Then the token has to be shown again. Timers and the clock's ticks have room for it.</summary>
    private static readonly TimeSpan LongestLife = TimeSpan.FromDays(45);

    private static readonly UTF8Encoding Strict = new(false, throwOnInvalidBytes: true);

    private readonly JsonWebTokenHandler _handler = new() { MaximumTokenSizeInBytes = limits.MaxTokenBytes };

    public bool IsOffered => true;

    public bool TryGetKnown(ReadOnlySpan<byte> token, out TokenVerdict verdict)
    {
        verdict = default;
        if (token.Length > limits.MaxTokenBytes)
            return false;
        if (known.Find(token, keys.Current) is not { } user || user.IsOver(time))
            return false;
        counters.Accepted();
        verdict = new TokenVerdict(user, TokenFault.None);
        return true;
    }

    public async ValueTask<TokenVerdict> ValidateAsync(byte[] token, CancellationToken cancellationToken)
    {
        var verdict = await CheckAsync(token, cancellationToken).ConfigureAwait(false);
        if (verdict.Fault == TokenFault.None)
            counters.Accepted();
        else
            counters.Refuse(verdict.Fault);
        return verdict;
    }

    private async ValueTask<TokenVerdict> CheckAsync(byte[] token, CancellationToken cancellationToken)
    {
        if (token.Length > limits.MaxTokenBytes)
            return new TokenVerdict(
                null, TokenFault.TooLarge, $"{token.Length} bytes are more than Limits:MaxTokenBytes");
        if (Read(token) is not { } jwt)
            return new TokenVerdict(null, TokenFault.Malformed, "no signed token that can be read");
        var set = keys.Current;
        var (id, algorithm) = (jwt.Kid, jwt.Alg);
        if (!set.Has(id, algorithm))
        {
            // The service may have a new key since the last look.
            set = await keys.LookAgainAsync(cancellationToken).ConfigureAwait(false);
            if (set.Count == 0)
                return new TokenVerdict(null, TokenFault.NoKeys, "there are no keys yet to check it with");
            if (!set.HasAlgorithm(algorithm))
                return new TokenVerdict(
                    null, TokenFault.Algorithm, $"no key is for the algorithm \"{PeerText.Escape(algorithm)}\"");
            if (!set.Has(id, algorithm))
                return new TokenVerdict(null, TokenFault.UnknownKey, $"no key is named \"{PeerText.Escape(id)}\"");
        }

        var result = await _handler.ValidateTokenAsync(jwt, ParametersFor(set.Find(id, algorithm), algorithm))
            .ConfigureAwait(false);
        if (!result.IsValid)
            return new TokenVerdict(null, FaultOf(result.Exception), "the check of its claims or signature");
        return Accept(token, jwt, set);
    }

    /// <summary>The types of tokens that give access; many services name none. Source: RFC 7519 §5.1, RFC 9068 §2.1.
    /// </summary>
    private static readonly string[] Types = ["JWT", "at+jwt", "application/at+jwt"];

    /// <summary>Null: none that is signed and can be read. A token whose header demands what nobody here knows
    /// (<c>crit</c>) is none either, nor is one of another type: it is for another purpose.</summary>
    private static JsonWebToken? Read(byte[] token)
    {
        try
        {
            var jwt = new JsonWebToken(Strict.GetString(token));
            return jwt.IsEncrypted || string.IsNullOrEmpty(jwt.Alg) ||
                jwt.TryGetHeaderValue<object>("crit", out _) ||
                (!string.IsNullOrEmpty(jwt.Typ) && !Types.Contains(jwt.Typ, StringComparer.OrdinalIgnoreCase))
                    ? null
                    : jwt;
        }
#pragma warning disable CA1031 // The library throws several kinds for what it cannot read.
        catch (Exception error) when (error is not OutOfMemoryException)
#pragma warning restore CA1031
        {
            return null;
        }
    }

    private TokenValidationParameters ParametersFor(IEnumerable<SecurityKey> candidates, string algorithm) => new()
    {
        ValidAlgorithms = [algorithm],
        IssuerSigningKeyResolver = (_, _, _, _) => candidates,
        RequireSignedTokens = true,
        RequireExpirationTime = true,
        ValidateIssuerSigningKey = false,
        IssuerValidator = (issuer, _, _) => issuer == options.Issuer
            ? issuer
            : throw new SecurityTokenInvalidIssuerException(),
        AudienceValidator = (audiences, _, _) => audiences.Contains(options.Audience, StringComparer.Ordinal),
        LifetimeValidator = CheckTimes,
    };

    private bool CheckTimes(
        DateTime? notBefore, DateTime? expires, SecurityToken token, TokenValidationParameters parameters)
    {
        var now = time.GetUtcNow().UtcDateTime;
        if (expires is not { } end)
            throw new SecurityTokenNoExpirationException();
        if (now - ClockSkew >= end)
            throw new SecurityTokenExpiredException();
        return notBefore is not { } begin || now + ClockSkew >= begin
            ? true
            : throw new SecurityTokenNotYetValidException();
    }

    private TokenVerdict Accept(byte[] token, JsonWebToken jwt, TokenKeySet set)
    {
        if (string.IsNullOrEmpty(jwt.Subject) || jwt.Subject.Length > MaxSubjectLength)
            return new TokenVerdict(null, TokenFault.Malformed, "it has no subject, or one that is too long");
        var granted = RolesOf(jwt);
        if (granted == Roles.None)
            return new TokenVerdict(
                null, TokenFault.NoRole,
                $"\"{PeerText.Escape(jwt.Subject)}\" has no value of {options.RoleClaim} that is in Jwt:Roles");
        var user = new UserIdentity(jwt.Subject, jwt.Subject, granted, UserKind.IssuedToken)
        {
            ValidUntil = EndOf(jwt),
        };
        known.Add(token, set, user);
        return new TokenVerdict(user, TokenFault.None);
    }

    /// <summary>On the monotonic clock: a jump of the other one prolongs nothing (R28).</summary>
    private long EndOf(JsonWebToken jwt)
    {
        var left = jwt.ValidTo - time.GetUtcNow().UtcDateTime + ClockSkew;
        if (left > LongestLife)
            left = LongestLife;
        return time.GetTimestamp() + (long)(left.TotalSeconds * time.TimestampFrequency);
    }

    private Roles RolesOf(JsonWebToken jwt)
    {
        using var claims = JsonDocument.Parse(Base64UrlEncoder.DecodeBytes(jwt.EncodedPayload));
        return roles.Of(claims.RootElement);
    }

    private static TokenFault FaultOf(Exception error) => error switch
    {
        SecurityTokenExpiredException => TokenFault.Expired,
        SecurityTokenNotYetValidException => TokenFault.NotYetValid,
        SecurityTokenInvalidIssuerException => TokenFault.Issuer,
        SecurityTokenInvalidAudienceException => TokenFault.Audience,
        SecurityTokenInvalidAlgorithmException => TokenFault.Algorithm,
        SecurityTokenInvalidSignatureException or SecurityTokenSignatureKeyNotFoundException => TokenFault.Signature,
        _ => TokenFault.Malformed,
    };
}
