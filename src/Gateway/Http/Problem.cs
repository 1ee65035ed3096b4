using System.Globalization;
using System.Text.Json;
using Gateway.Admission.Stages;

namespace Gateway.Host.Http;

/// <summary><c>application/problem+json</c> with the status and a fixed sentence, and nothing from within (R17).
/// Source: RFC 9457.</summary>
internal static class Problem
{
    /// <summary>Refused by admission: 429 or 503, and when to come back.</summary>
    public static Task WriteAsync(HttpContext context, in Decision decision, string title)
    {
        context.Response.Headers.RetryAfter = decision.RetryAfterSeconds.ToString(CultureInfo.InvariantCulture);
        return WriteAsync(context, ReasonTable.HttpStatusOf(decision.Reason), title);
    }

    public static async Task WriteAsync(HttpContext context, int status, string title)
    {
        var response = context.Response;
        response.StatusCode = status;
        response.ContentType = "application/problem+json";
        response.Headers.CacheControl = "no-store";
        var writer = new Utf8JsonWriter(response.BodyWriter);
        await using (writer.ConfigureAwait(false))
        {
            writer.WriteStartObject();
            writer.WriteString("type", "about:blank");
            writer.WriteString("title", title);
            writer.WriteNumber("status", status);
            writer.WriteEndObject();
        }
        await response.BodyWriter.FlushAsync(context.RequestAborted).ConfigureAwait(false);
    }
}
