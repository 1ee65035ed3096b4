using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Microsoft.IdentityModel.JsonWebTokens;
using Microsoft.IdentityModel.Tokens;

namespace Gateway.Tests.Tokens;

/// <summary>An authorization service: one key at a time, and tokens of any kind, also wrong ones.</summary>
internal sealed class TokenIssuer : IDisposable
{
    public const string Issuer = "https://login.plant.example";
    public const string Audience = "urn:plant:gateway";

    private RSA _key = RSA.Create(2048);
    private int _generation = 1;

    public string KeyId => $"key-{_generation}";

    public SigningCredentials Credentials =>
        new(new RsaSecurityKey(_key.ExportParameters(true)) { KeyId = KeyId }, SecurityAlgorithms.RsaSha256);

    public string Pem => _key.ExportSubjectPublicKeyInfoPem();

    public string Jwks => JsonSerializer.Serialize(new { keys = new[] { Jwk } });

    public object Jwk
    {
        get
        {
            var parameters = _key.ExportParameters(false);
            return new
            {
                kty = "RSA",
                use = "sig",
                kid = KeyId,
                alg = "RS256",
                n = Base64UrlEncoder.Encode(parameters.Modulus),
                e = Base64UrlEncoder.Encode(parameters.Exponent),
            };
        }
    }

    /// <summary>The options of a gateway that takes its tokens.</summary>
    public static string[] Options(string keys) =>
    [
        $"--Jwt:Issuer={Issuer}", $"--Jwt:Audience={Audience}", keys, "--Jwt:Roles:watch=Observer",
        "--Jwt:Roles:plant:operate=Operator", "--Jwt:Roles:all=Observer,Engineer",
    ];

    /// <summary>From now on it signs by another key.</summary>
    public void Rotate()
    {
        _key.Dispose();
        _key = RSA.Create(2048);
        _generation++;
    }

    public string Sign(
        DateTimeOffset now, double seconds = 300, object? roles = null, string? subject = "anna",
        string issuer = Issuer, string audience = Audience, double notBefore = -1, SigningCredentials? by = null,
        Action<Dictionary<string, object>>? change = null)
    {
        var claims = new Dictionary<string, object>
        {
            ["iss"] = issuer,
            ["aud"] = audience,
            ["exp"] = now.AddSeconds(seconds).ToUnixTimeSeconds(),
            ["nbf"] = now.AddSeconds(notBefore).ToUnixTimeSeconds(),
            ["roles"] = roles ?? new[] { "watch" },
        };
        if (subject is not null)
            claims["sub"] = subject;
        change?.Invoke(claims);
        var json = JsonSerializer.Serialize(claims);
        return new JsonWebTokenHandler { SetDefaultTimesOnTokenCreation = false }.CreateToken(json, by ?? Credentials);
    }

    /// <summary>With any header and signature.</summary>
    public static string Join(string header, string payload, byte[] signature) =>
        $"{Base64UrlEncoder.Encode(header)}.{payload}.{Base64UrlEncoder.Encode(signature)}";

    /// <summary>Signed by an HMAC, with the public key as its secret.</summary>
    public string Confuse(string token)
    {
        var head = Base64UrlEncoder.Encode($"{{\"alg\":\"HS256\",\"typ\":\"JWT\",\"kid\":\"{KeyId}\"}}");
        var text = $"{head}.{token.Split('.')[1]}";
        var mac = HMACSHA256.HashData(Encoding.UTF8.GetBytes(Pem), Encoding.UTF8.GetBytes(text));
        return $"{text}.{Base64UrlEncoder.Encode(mac)}";
    }

    public void Dispose() => _key.Dispose();
}
