using Microsoft.Net.Http.Headers;

namespace Gateway.Host.Pages;

/// <summary>Which encodings of an answer a client takes. Source: RFC 9110 §12.5.3.</summary>
internal static class AcceptedEncodings
{
    /// <param name="request">Without the header it takes none: all clients that decompress say so.</param>
    /// <param name="encoding">In small letters.</param>
    public static bool Has(HttpRequest request, string encoding)
    {
        if (!StringWithQualityHeaderValue.TryParseList(request.Headers.AcceptEncoding, out var accepted))
            return false;
        double? named = null, other = null;
        foreach (var one in accepted)
        {
            if (one.Value.Equals(encoding, StringComparison.OrdinalIgnoreCase))
                named = one.Quality ?? 1;
            else if (one.Value == "*")
                other = one.Quality ?? 1;
        }

        return (named ?? other ?? 0) > 0;
    }
}
