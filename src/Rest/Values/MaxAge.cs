using System.Globalization;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Values;

/// <summary>The query's <c>maxAge</c>: how old a value of a source may be, ms; 0 asks the source. Source: Part 4
/// §5.11.2.</summary>
internal static class MaxAge
{
    public const string Expected = "maxAge: expected a number of milliseconds, 0 or more";

    public static bool TryRead(HttpRequest request, out double maxAge)
    {
        maxAge = 0;
        var texts = QueryTexts.Of(request, "maxAge");
        return texts is [] or [""] || (texts is [var text] &&
            double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out maxAge) &&
            double.IsFinite(maxAge));
    }
}
