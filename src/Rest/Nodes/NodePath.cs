using System.Globalization;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Gateway.Rest.Nodes;

/// <summary>The node id in the path of a request: the rest of the path as it was sent, percent-decoded once. The web
/// server's own decoding leaves %2F, and a route's segment ends at the first slash of a URI.</summary>
internal static class NodePath
{
    private const string Before = "/api/v1/nodes/";
    private const string Children = "/children";

    private static readonly UTF8Encoding Strict = new(false, throwOnInvalidBytes: true);

    /// <summary>Null: no valid text.</summary>
    public static string? Read(HttpContext context, out bool isOfChildren)
    {
        isOfChildren = false;
        var target = context.Features.Get<IHttpRequestFeature>()?.RawTarget ?? "";
        var start = target.IndexOf(Before, StringComparison.OrdinalIgnoreCase);
        if (start < 0)
            return null;
        var path = target.AsSpan(start + Before.Length);
        var end = path.IndexOfAny('?', '#');
        if (end >= 0)
            path = path[..end];
        isOfChildren = path.EndsWith(Children, StringComparison.Ordinal);
        return Decode(isOfChildren ? path[..^Children.Length] : path);
    }

    private static string? Decode(ReadOnlySpan<char> text)
    {
        var bytes = new byte[Strict.GetMaxByteCount(text.Length)];
        var count = 0;
        try
        {
            for (var i = 0; i < text.Length; i++)
            {
                if (text[i] != '%')
                    count += Strict.GetBytes(text.Slice(i, 1), bytes.AsSpan(count));
                else if (!TryReadEscape(text[(i + 1)..], out bytes[count++]))
                    return null;
                else
                    i += 2;
            }

            return Strict.GetString(bytes.AsSpan(0, count));
        }
        catch (ArgumentException)
        {
            // Invalid UTF-8 behind the escapes.
            return null;
        }
    }

    private static bool TryReadEscape(ReadOnlySpan<char> text, out byte value)
    {
        value = 0;
        return text.Length >= 2 && byte.TryParse(
            text[..2], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value);
    }
}
