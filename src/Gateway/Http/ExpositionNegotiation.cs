using Microsoft.Extensions.Primitives;
using Microsoft.Net.Http.Headers;

namespace Gateway.Host.Http;

/// <summary>Chooses the format for a scraper: OpenMetrics if its Accept header prefers that at least as much as text.
/// Text in all other cases, also for a browser and for an invalid header.</summary>
internal static class ExpositionNegotiation
{
    public static ExpositionFormat Choose(StringValues accept)
    {
        if (!MediaTypeHeaderValue.TryParseList(accept, out var types))
            return ExpositionFormat.Text;
        double openMetrics = 0, text = 0;
        foreach (var type in types)
        {
            var quality = type.Quality ?? 1;
            if (IsOpenMetrics(type))
                openMetrics = Math.Max(openMetrics, quality);
            else if (type.MediaType.Equals("text/plain", StringComparison.OrdinalIgnoreCase))
                text = Math.Max(text, quality);
        }
        return openMetrics > 0 && openMetrics >= text ? ExpositionFormat.OpenMetrics : ExpositionFormat.Text;
    }

    public static string ContentType(ExpositionFormat format) => format == ExpositionFormat.OpenMetrics
        ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
        : "text/plain; version=0.0.4; charset=utf-8";

    private static bool IsOpenMetrics(MediaTypeHeaderValue type)
    {
        if (!type.MediaType.Equals("application/openmetrics-text", StringComparison.OrdinalIgnoreCase))
            return false;
        foreach (var parameter in type.Parameters)
        {
            if (parameter.Name.Equals("version", StringComparison.OrdinalIgnoreCase))
                return HeaderUtilities.RemoveQuotes(parameter.Value).AsSpan() is "1.0.0" or "0.0.1";
        }
        return true;
    }
}
