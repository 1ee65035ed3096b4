using Gateway.Operations.Access;

namespace Gateway.Host.Tokens;

/// <summary>The options of <c>Jwt:*</c>: whose tokens are taken, and what they give.</summary>
internal sealed record JwtOptions
{
    /// <summary>False: none of its keys is given, and tokens are refused.</summary>
    public bool IsOn => Issuer.Length > 0;

    /// <summary>The claim <c>iss</c>, compared exactly.</summary>
    public string Issuer { get; init; } = string.Empty;

    /// <summary>The claim <c>aud</c> is it or holds it, compared exactly.</summary>
    public string Audience { get; init; } = string.Empty;

    /// <summary>A JWKS or PEM file; empty where there is a URL.</summary>
    public string KeysPath { get; init; } = string.Empty;

    /// <summary>Of a JWKS; null where there is a file.</summary>
    public Uri? KeysUrl { get; init; }

    /// <summary>The claim that gives roles: its name, or with points the path to it.</summary>
    public string RoleClaim { get; init; } = "roles";

    /// <summary>By the value of that claim, compared exactly.</summary>
    public IReadOnlyDictionary<string, Roles> Roles { get; init; } = new Dictionary<string, Roles>();
}
