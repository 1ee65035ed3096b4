using System.Text;
using Gateway.Server.Users;

namespace Gateway.Host.Http;

/// <summary><c>Authorization: Bearer token</c>, and the answer to one that is refused. Source: RFC 6750.</summary>
internal static class BearerToken
{
    private const string Scheme = "Bearer ";

    public static bool Is(string header) => header.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase);

    /// <summary>In UTF-8. The check of tokens finds all that may be wrong with it.</summary>
    /// <param name="header">With the scheme.</param>
    public static byte[] Of(string header) => Encoding.UTF8.GetBytes(header[Scheme.Length..].Trim());

    /// <summary>The status, the error of RFC 6750 §3.1, and a sentence that names the reason.</summary>
    public static (int Status, string Error, string Sentence) AnswerTo(TokenFault fault) => fault switch
    {
        TokenFault.Malformed => (401, "invalid_token", "It is no signed JSON Web Token that can be read"),
        TokenFault.TooLarge => (401, "invalid_token", "It is longer than the gateway takes"),
        TokenFault.Algorithm => (401, "invalid_token", "It is signed by an algorithm that is not taken"),
        TokenFault.UnknownKey => (401, "invalid_token", "It is signed by a key that is not known"),
        TokenFault.Signature => (401, "invalid_token", "Its signature is wrong"),
        TokenFault.Issuer => (401, "invalid_token", "It is of another issuer"),
        TokenFault.Audience => (401, "invalid_token", "It is for another audience"),
        TokenFault.Expired => (401, "invalid_token", "It has expired"),
        TokenFault.NotYetValid => (401, "invalid_token", "It is not valid yet"),
        TokenFault.NoRole => (403, "insufficient_scope", "It gives no role on this gateway"),
        TokenFault.NoKeys => (503, "", "The keys of its issuer are not there yet"),
        _ => (401, "invalid_token", "It is not accepted"),
    };
}
