using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Answers;

/// <summary><c>application/problem+json</c> with the status, a fixed sentence, the StatusCode, and the expected input
/// and its place; no internal details (R17). Source: RFC 9457.</summary>
public static class Problem
{
    private const string RetryAfterSeconds = "1";

    /// <summary>Never sent as HTML.</summary>
    private static readonly JsonWriterOptions Options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Refused by admission: 429 or 503, with Retry-After.</summary>
    public static Task WriteAsync(HttpContext context, in Decision decision, string title)
    {
        context.Response.Headers.RetryAfter = decision.RetryAfterSeconds.ToString(CultureInfo.InvariantCulture);
        return WriteAsync(context, ReasonTable.HttpStatusOf(decision.Reason), title, decision.Status);
    }

    /// <summary>The HTTP form of an operation's StatusCode.</summary>
    /// <param name="context">The request's context.</param>
    /// <param name="status">Bad.</param>
    /// <param name="detail">The expected input and its place; null: the StatusCode says enough.</param>
    public static Task WriteAsync(HttpContext context, StatusCode status, string? detail = null)
    {
        var (http, title) = ProblemStatus.Of(status);
        if (http is 429 or 503)
            context.Response.Headers.RetryAfter = RetryAfterSeconds;
        return WriteAsync(context, http, title, status, detail);
    }

    /// <param name="context">The request's context.</param>
    /// <param name="http">The HTTP status.</param>
    /// <param name="title">A fixed sentence.</param>
    /// <param name="status">Bad.</param>
    /// <param name="detail">Null: none is told.</param>
    /// <param name="extend">Writes further members (RFC 9457 §3.2); null: there are none.</param>
    public static async Task WriteAsync(
        HttpContext context, int http, string title, StatusCode status, string? detail = null,
        Action<Utf8JsonWriter>? extend = null)
    {
        var response = context.Response;
        response.StatusCode = http;
        response.ContentType = "application/problem+json";
        response.Headers.CacheControl = "no-store";
        var writer = new Utf8JsonWriter(response.BodyWriter, Options);
        await using (writer.ConfigureAwait(false))
        {
            writer.WriteStartObject();
            writer.WriteString("type", "about:blank");
            writer.WriteString("title", title);
            writer.WriteNumber("status", http);
            writer.WriteString("statusCode", status.ToString());
            if (detail is not null)
                writer.WriteString("detail", detail);
            extend?.Invoke(writer);
            writer.WriteEndObject();
        }

        await response.BodyWriter.FlushAsync(context.RequestAborted).ConfigureAwait(false);
    }
}
