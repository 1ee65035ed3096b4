using System.Globalization;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Streams;

/// <summary>The query's <c>interval=500</c>, in milliseconds.</summary>
internal static class IntervalQuery
{
    public const string Expected = "interval: expected a number of milliseconds above 0";

    /// <summary>NaN: it is no number.</summary>
    public static double Read(HttpRequest request, double usual)
    {
        var text = request.Query["interval"].ToString();
        if (text.Length == 0)
            return usual;
        return double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
            ? number
            : double.NaN;
    }

    public static bool IsValid(double interval) => double.IsFinite(interval) && interval > 0;
}
