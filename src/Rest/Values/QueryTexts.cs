using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;

namespace Gateway.Rest.Values;

/// <summary>One parameter of a query. <c>HttpRequest.Query</c> makes a dictionary of all of them for each request, and
/// the framework's way to unescape goes through the rules of all URIs.</summary>
internal static class QueryTexts
{
    private const int MostChars = 256;
    private const int EscapeChars = 3;

    /// <summary>Its values in their order; the name in any case.</summary>
    public static IReadOnlyList<string> Of(HttpRequest request, string name)
    {
        List<string>? found = null;
        foreach (var one in new QueryStringEnumerable(request.QueryString.Value))
        {
            if (one.DecodeName().Span.Equals(name, StringComparison.OrdinalIgnoreCase))
                (found ??= new(1)).Add(ValueOf(one));
        }

        return found ?? (IReadOnlyList<string>)[];
    }

    private static string ValueOf(in QueryStringEnumerable.EncodedNameValuePair pair)
    {
        var encoded = pair.EncodedValue.Span;
        Span<char> plain = stackalloc char[MostChars];
        return encoded.Length <= MostChars && TryUnescape(encoded, plain, out var count)
            ? plain[..count].ToString()
            : pair.DecodeValue().ToString();
    }

    /// <summary>False: something is escaped that is not ASCII, or nothing at all.</summary>
    private static bool TryUnescape(ReadOnlySpan<char> text, Span<char> plain, out int count)
    {
        count = 0;
        for (var i = 0; i < text.Length;)
        {
            if (text[i] != '%')
            {
                plain[count++] = text[i] == '+' ? ' ' : text[i];
                i++;
                continue;
            }

            if (i + EscapeChars > text.Length || !char.IsAsciiHexDigit(text[i + 1]) ||
                !char.IsAsciiHexDigit(text[i + 2]))
                return false;
            var value = (Hex(text[i + 1]) << 4) | Hex(text[i + 2]);
            if (value > sbyte.MaxValue)
                return false;
            plain[count++] = (char)value;
            i += EscapeChars;
        }

        return true;
    }

    private static int Hex(char digit) => digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
}
