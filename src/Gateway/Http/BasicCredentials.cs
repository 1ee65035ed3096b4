using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Gateway.Host.Http;

/// <summary><c>Authorization: Basic base64(user:password)</c> in UTF-8. Source: RFC 7617.</summary>
/// <param name="User">As the peer sent it.</param>
/// <param name="Password">UTF-8; to be wiped.</param>
internal readonly record struct BasicCredentials(string User, byte[] Password)
{
    private const string Scheme = "Basic ";
    private const int MaxLength = 4_096;

    private static readonly UTF8Encoding Strict = new(false, throwOnInvalidBytes: true);

    public static bool TryParse(string header, [NotNullWhen(true)] out BasicCredentials? credentials)
    {
        credentials = null;
        if (!header.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase) || header.Length > MaxLength)
            return false;
        var encoded = header.AsSpan(Scheme.Length).Trim();
        var bytes = new byte[encoded.Length];
        if (!Convert.TryFromBase64Chars(encoded, bytes, out var written))
            return false;
        var plain = bytes.AsSpan(0, written);
        try
        {
            var colon = plain.IndexOf((byte)':');
            if (colon < 0)
                return false;
            credentials = new BasicCredentials(Strict.GetString(plain[..colon]), plain[(colon + 1)..].ToArray());
            return true;
        }
        catch (DecoderFallbackException)
        {
            return false;
        }
        finally
        {
            plain.Clear();
        }
    }
}
