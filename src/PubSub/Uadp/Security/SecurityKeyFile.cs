using System.Globalization;
using System.Security.Cryptography;
using System.Text.Json;

namespace Gateway.PubSub.Uadp.Security;

/// <summary>
/// The text of a file of keys. Shape: <c>{ "policy": "PubSub-Aes256-CTR", "keys": [ { "token": 1, "key": "base64",
/// "validFrom": "2026-01-01T00:00:00Z" }, … ] }</c>: the keys in the order of their use; <c>key</c> is the signing key
/// (32 bytes), the encrypting key (16 or 32) and the KeyNonce (4), as GetSecurityKeys returns them; a key without
/// <c>validFrom</c> is valid at once. The last that is valid sends, all of them open. Source: Part 14 §7.2.4.4.3.
/// </summary>
public static class SecurityKeyFile
{
    /// <summary>64 keys take an eighth of it.</summary>
    public const int MaxBytes = 64 * 1024;

    /// <summary>Errors: FormatException with the place in words; no key is in its text.</summary>
    public static SecurityKeySet Read(ReadOnlyMemory<byte> text)
    {
        if (text.Length > MaxBytes)
            throw new FormatException($"it is larger than {MaxBytes} bytes");
        try
        {
            using var document = JsonDocument.Parse(text, new JsonDocumentOptions { MaxDepth = 4 });
            return Read(document.RootElement);
        }
        catch (JsonException error)
        {
            throw new FormatException($"it is no JSON: line {error.LineNumber + 1}", error);
        }
        catch (Exception error) when (error is InvalidOperationException or ArgumentException)
        {
            throw new FormatException("it has no list of keys, or a token id twice", error);
        }
    }

    private static SecurityKeySet Read(JsonElement root)
    {
        var policy = PubSubSecurityPolicy.Find(TextOf(root, "policy")) ??
            throw new FormatException("its policy is neither PubSub-Aes128-CTR nor PubSub-Aes256-CTR");
        if (!root.TryGetProperty("keys", out var list) || list.GetArrayLength() is 0 or > SecurityKeySet.MaxKeys)
            throw new FormatException($"it has no keys, or more than {SecurityKeySet.MaxKeys}");
        var keys = new List<SecurityKey>();
        foreach (var element in list.EnumerateArray())
            keys.Add(ReadKey(policy, element, keys.Count + 1));
        return new SecurityKeySet(policy, keys);
    }

    private static SecurityKey ReadKey(PubSubSecurityPolicy policy, JsonElement element, int number)
    {
        if (!element.TryGetProperty("token", out var token) || token.ValueKind != JsonValueKind.Number ||
            !token.TryGetUInt32(out var tokenId) || tokenId == 0)
            throw new FormatException($"key {number} has no token id from 1 to 4294967295");
        var validFrom = default(DateTime);
        if (TextOf(element, "validFrom") is { } from && !DateTime.TryParse(
            from, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal,
            out validFrom))
            throw new FormatException($"validFrom of key {number} is no time");
        Span<byte> data = stackalloc byte[policy.KeyDataBytes + 1];
        if (TextOf(element, "key") is not { } key || !Convert.TryFromBase64String(key, data, out var length) ||
            length != policy.KeyDataBytes)
            throw new FormatException($"key {number} is not {policy.KeyDataBytes} bytes in base64");
        var made = new SecurityKey(policy, tokenId, data[..length], validFrom);
        CryptographicOperations.ZeroMemory(data);
        return made;
    }

    private static string? TextOf(JsonElement element, string name) =>
        element.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String
            ? value.GetString()
            : null;
}
