using Gateway.Codec.Structures;
using Gateway.Transport.Security;

namespace Gateway.Server.Discovery;

/// <summary>The user tokens that an endpoint takes, each with the policy that protects it; the ids are unique over all
/// endpoints. A password or a token never travels unencrypted: on an endpoint without security it is encrypted by the
/// policy named here. Source: Part 4 §7.41.</summary>
internal static class TokenPolicies
{
    public const string AnonymousId = "anonymous";

    /// <summary>Source: Part 6 §6.5.2.</summary>
    public const string JsonWebToken = "http://opcfoundation.org/UA/UserToken#JWT";

    public static UserTokenPolicy[] For(ServerOptions options, SecurityPolicy endpointPolicy)
    {
        var policy = endpointPolicy.IsNone ? SecurityPolicies.Basic256Sha256 : endpointPolicy;
        var suffix = "_" + policy.Name;
        var policies = new List<UserTokenPolicy>(4);
        if (options.OfferAnonymous)
            policies.Add(new UserTokenPolicy { PolicyId = AnonymousId, TokenType = UserTokenType.Anonymous });
        if (options.OfferUserName)
            policies.Add(Policy("username" + suffix, UserTokenType.UserName, policy));
        if (options.OfferX509)
            policies.Add(Policy("certificate" + suffix, UserTokenType.Certificate, policy));
        if (options.Tokens is { } authority)
            policies.Add(new UserTokenPolicy
            {
                PolicyId = "token" + suffix,
                TokenType = UserTokenType.IssuedToken,
                IssuedTokenType = JsonWebToken,
                IssuerEndpointUrl = authority.AsJson(),
                SecurityPolicyUri = policy.Uri,
            });
        return [.. policies];
    }

    private static UserTokenPolicy Policy(string id, UserTokenType type, SecurityPolicy policy) =>
        new() { PolicyId = id, TokenType = type, SecurityPolicyUri = policy.Uri };
}
