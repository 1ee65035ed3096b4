using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using Microsoft.IdentityModel.Tokens;

namespace Gateway.Host.Tokens;

/// <summary>Reads keys: a JSON Web Key Set, one such key, or PEM with public keys and certificates. A key of a set that
/// is of no use here is left out, because others may need it. Source: RFC 7517 §5, RFC 7468. Errors:
/// <see cref="FormatException"/>, which names what is wrong and no key.</summary>
internal static class TokenKeyReader
{
    private const int MinRsaBits = 2_048;
    private const int MaxRsaBits = 8_192;
    private const int MinSecretBytes = 32;

    private static readonly JsonDocumentOptions Json = new() { MaxDepth = 16 };

    private static readonly string[] RsaAlgorithms =
    [
        SecurityAlgorithms.RsaSha256, SecurityAlgorithms.RsaSha384, SecurityAlgorithms.RsaSha512,
        SecurityAlgorithms.RsaSsaPssSha256, SecurityAlgorithms.RsaSsaPssSha384, SecurityAlgorithms.RsaSsaPssSha512,
    ];

    private static readonly string[] SecretAlgorithms =
        [SecurityAlgorithms.HmacSha256, SecurityAlgorithms.HmacSha384, SecurityAlgorithms.HmacSha512];

    /// <param name="content">Of the file or the answer.</param>
    /// <param name="maxKeys">More are an error.</param>
    /// <param name="takesSecrets">Whether a key of an HMAC is taken: from a file that lies beside the gateway, never
    /// from an address, because others can read it there.</param>
    public static TokenKeySet Read(byte[] content, int maxKeys, bool takesSecrets)
    {
        string text;
        try
        {
            text = new UTF8Encoding(false, throwOnInvalidBytes: true).GetString(content).TrimStart('\uFEFF').Trim();
        }
        catch (DecoderFallbackException)
        {
            throw new FormatException("it is no text");
        }

        var unusable = new List<string>();
        var keys = text.StartsWith('{') ? OfJson(text, takesSecrets, unusable) : OfPem(text);
        if (keys.Count == 0)
            throw new FormatException(unusable is [var first, ..]
                ? first
                : "it holds no key that tokens could be checked with");
        if (keys.Count + unusable.Count > maxKeys)
            throw new FormatException(
                $"it holds {keys.Count + unusable.Count} keys, more than Limits:MaxTokenKeys");
        return new TokenKeySet(keys, unusable);
    }

    private static List<TokenKey> OfJson(string text, bool takesSecrets, List<string> unusable)
    {
        try
        {
            using var document = JsonDocument.Parse(text, Json);
            var root = document.RootElement;
            var keys = new List<TokenKey>();
            if (!root.TryGetProperty("keys", out var list) || list.ValueKind != JsonValueKind.Array)
                Add(root);
            else
                foreach (var key in list.EnumerateArray())
                    Add(key);
            return keys;

            void Add(JsonElement json)
            {
                try
                {
                    if (OfJwk(json, takesSecrets) is { } key)
                        keys.Add(key);
                }
                catch (FormatException problem)
                {
                    unusable.Add(problem.Message);
                }
            }
        }
        catch (JsonException)
        {
            throw new FormatException("it is no JSON that can be read");
        }
    }

    /// <summary>Null: for another purpose, or of a kind that is not known here.</summary>
    private static TokenKey? OfJwk(JsonElement json, bool takesSecrets)
    {
        if (json.ValueKind != JsonValueKind.Object)
            throw new FormatException("one of its keys is no object");
        if (Text(json, "use") is { } use && use != "sig")
            return null;
        try
        {
            return Text(json, "kty") switch
            {
                "RSA" => OfRsa(Named(json), new RSAParameters
                {
                    Modulus = Bytes(json, "n"),
                    Exponent = Bytes(json, "e"),
                }, Text(json, "alg")),
                "EC" when CurveOf(Text(json, "crv")) is { } curve => OfCurve(Named(json), new ECParameters
                {
                    Curve = curve,
                    Q = new ECPoint { X = Bytes(json, "x"), Y = Bytes(json, "y") },
                }, Text(json, "alg")),
                "oct" when takesSecrets => OfSecret(Named(json), Bytes(json, "k"), Text(json, "alg")),
                "oct" => throw new FormatException("it holds a secret key (oct), which only a file may hold"),
                _ => null,
            };
        }
        catch (CryptographicException)
        {
            throw new FormatException("one of its keys is none that can be used");
        }
    }

    private static string Named(JsonElement json) => Text(json, "d") is null
        ? Text(json, "kid") ?? string.Empty
        : throw new FormatException("it holds a private key (d): the gateway takes public ones only");

    private static List<TokenKey> OfPem(string text)
    {
        var keys = new List<TokenKey>();
        var rest = text.AsSpan();
        while (PemEncoding.TryFind(rest, out var fields))
        {
            var label = rest[fields.Label].ToString();
            var pem = rest[fields.Location].ToString();
            rest = rest[fields.Location.End..];
            try
            {
                keys.Add(OfPem(label, pem));
            }
            catch (CryptographicException)
            {
                throw new FormatException($"its {label} cannot be read");
            }
        }

        return keys;
    }

    private static TokenKey OfPem(string label, string pem)
    {
        if (label.EndsWith("PRIVATE KEY", StringComparison.Ordinal))
            throw new FormatException($"it holds a {label}: the gateway takes public keys only");
        if (label == "CERTIFICATE")
        {
            using var certificate = X509Certificate2.CreateFromPem(pem);
            using var rsa = certificate.GetRSAPublicKey();
            using var curve = certificate.GetECDsaPublicKey();
            return Of(rsa?.ExportParameters(false), curve?.ExportParameters(false));
        }

        if (label is not ("PUBLIC KEY" or "RSA PUBLIC KEY"))
            throw new FormatException($"a {label} is no public key");
        return TryImport(RSA.Create, pem, out var asRsa)
            ? Of(asRsa.ExportParameters(false), null)
            : TryImport(ECDsa.Create, pem, out var asCurve)
                ? Of(null, asCurve.ExportParameters(false))
                : throw new FormatException("a public key is neither of RSA nor of an elliptic curve");
    }

    private static TokenKey Of(RSAParameters? rsa, ECParameters? curve) =>
        rsa is { } r ? OfRsa(string.Empty, r, null)
        : curve is { } c ? OfCurve(string.Empty, c, null)
        : throw new FormatException("a certificate's key is neither of RSA nor of an elliptic curve");

    private static bool TryImport<T>(Func<T> create, string pem, out T key)
        where T : AsymmetricAlgorithm
    {
        key = create();
        try
        {
            key.ImportFromPem(pem);
            return true;
        }
        catch (Exception error) when (error is CryptographicException or ArgumentException)
        {
            key.Dispose();
            return false;
        }
    }

    private static TokenKey OfRsa(string id, RSAParameters parameters, string? algorithm)
    {
        // Checked by its import, and by its size (R33).
        using var key = RSA.Create(parameters);
        if (key.KeySize is < MinRsaBits or > MaxRsaBits)
            throw new FormatException($"an RSA key has {key.KeySize} bits, not {MinRsaBits} to {MaxRsaBits}");
        return new TokenKey(id, new RsaSecurityKey(parameters), Only(RsaAlgorithms, algorithm));
    }

    private static TokenKey OfCurve(string id, ECParameters parameters, string? algorithm)
    {
        var key = ECDsa.Create(parameters);
        var own = key.KeySize switch
        {
            256 => SecurityAlgorithms.EcdsaSha256,
            384 => SecurityAlgorithms.EcdsaSha384,
            521 => SecurityAlgorithms.EcdsaSha512,
            _ => throw new FormatException("an elliptic curve is none of P-256, P-384 and P-521"),
        };
        return new TokenKey(id, new ECDsaSecurityKey(key), Only([own], algorithm));
    }

    private static TokenKey OfSecret(string id, byte[] secret, string? algorithm) => secret.Length >= MinSecretBytes
        ? new TokenKey(id, new SymmetricSecurityKey(secret), Only(SecretAlgorithms, algorithm))
        : throw new FormatException($"a secret key (oct) has less than {MinSecretBytes} bytes");

    /// <summary>A key that names its algorithm is for that one.</summary>
    private static string[] Only(string[] all, string? algorithm) =>
        algorithm is null ? all : [.. all.Where(one => one == algorithm)];

    private static ECCurve? CurveOf(string? name) => name switch
    {
        "P-256" => ECCurve.NamedCurves.nistP256,
        "P-384" => ECCurve.NamedCurves.nistP384,
        "P-521" => ECCurve.NamedCurves.nistP521,
        _ => null,
    };

    private static string? Text(JsonElement json, string name) =>
        json.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;

    private static byte[] Bytes(JsonElement json, string name)
    {
        var text = Text(json, name) ?? throw new FormatException($"one of its keys has no {name}");
        try
        {
            return Base64UrlEncoder.DecodeBytes(text);
        }
        catch (FormatException)
        {
            throw new FormatException($"the {name} of one of its keys is no Base64url");
        }
    }
}
