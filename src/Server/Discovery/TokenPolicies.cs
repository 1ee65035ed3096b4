using Gateway.Codec.Structures;
using Gateway.Transport.Security;

namespace Gateway.Server.Discovery;

/// <summary>The user tokens that an endpoint takes, each with the policy that protects it; the ids are unique over all
/// endpoints. A password never travels unencrypted: on an endpoint without security it is encrypted by the policy named
/// here. Source: Part 4 §7.41.</summary>
internal static class TokenPolicies
{
    public const string AnonymousId = "anonymous";

    public static UserTokenPolicy[] For(ServerOptions options, SecurityPolicy endpointPolicy)
    {
        var policy = endpointPolicy.IsNone ? SecurityPolicies.Basic256Sha256 : endpointPolicy;
        var suffix = "_" + policy.Name;
        var policies = new List<UserTokenPolicy>(3);
        if (options.OfferAnonymous)
            policies.Add(new UserTokenPolicy { PolicyId = AnonymousId, TokenType = UserTokenType.Anonymous });
        if (options.OfferUserName)
            policies.Add(Policy("username" + suffix, UserTokenType.UserName, policy));
        if (options.OfferX509)
            policies.Add(Policy("certificate" + suffix, UserTokenType.Certificate, policy));
        return [.. policies];
    }

    private static UserTokenPolicy Policy(string id, UserTokenType type, SecurityPolicy policy) =>
        new() { PolicyId = id, TokenType = type, SecurityPolicyUri = policy.Uri };
}
