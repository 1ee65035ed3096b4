using System.Text.Json;

namespace Gateway.Server.Discovery;

/// <summary>The service that issues the tokens of users.</summary>
/// <param name="Url">The issuer.</param>
/// <param name="ResourceId">The audience that a token must be for.</param>
public sealed record TokenAuthority(string Url, string ResourceId)
{
    /// <summary>The IssuerEndpointUrl of a UserTokenPolicy. Source: Part 6 §6.5.2.2.</summary>
    internal string AsJson() => JsonSerializer.Serialize(new Dictionary<string, string>
    {
        ["ua:resourceId"] = ResourceId,
        ["ua:authorityUrl"] = Url,
        ["ua:authorityProfileUri"] = "http://opcfoundation.org/UA/Authorization#OAuth2",
    });
}
