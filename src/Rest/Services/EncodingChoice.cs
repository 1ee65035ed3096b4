using System.Diagnostics.CodeAnalysis;
using Gateway.Codec.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;
using Microsoft.Net.Http.Headers;

namespace Gateway.Rest.Services;

/// <summary>The encoding of a response: that of the Accept header, otherwise that of the request, otherwise Compact. A
/// request may have any encoding, because the reader detects it. Source: Part 6 §7.4.2, §H.1.</summary>
internal static class EncodingChoice
{
    private const string Json = "application/json";
    private const string Parameter = "encoding";

    /// <summary>Null: the request is not JSON in UTF-8, or has an unknown encoding.</summary>
    public static JsonEncoding? OfRequest(HttpRequest request) =>
        MediaTypeHeaderValue.TryParse(request.ContentType, out var type) && IsJson(type.MediaType) &&
        (!type.Charset.HasValue || Is(HeaderUtilities.RemoveQuotes(type.Charset), "utf-8"))
            ? EncodingOf(type)
            : null;

    /// <summary>Null: the gateway supports no accepted encoding.</summary>
    /// <param name="request">The request with its Accept header.</param>
    /// <param name="asked">The encoding of the request's body.</param>
    public static JsonEncoding? OfAnswer(HttpRequest request, JsonEncoding asked)
    {
        if (request.Headers.Accept.Count == 0)
            return asked;
        if (!MediaTypeHeaderValue.TryParseList(request.Headers.Accept, out var accepted))
            return null;
        foreach (var type in accepted.OrderByDescending(static one => one.Quality ?? 1))
        {
            if (type.Quality is 0)
                continue;
            if (!HasEncoding(type, out _) && (IsJson(type.MediaType) || Is(type.MediaType, "application/*") ||
                Is(type.MediaType, "*/*")))
                return asked;
            if (IsJson(type.MediaType) && EncodingOf(type) is { } encoding)
                return encoding;
        }

        return null;
    }

    public static string ContentTypeOf(JsonEncoding encoding) => encoding switch
    {
        JsonEncoding.Verbose => "application/json; encoding=verbose",
        JsonEncoding.Reversible => "application/json; encoding=reversible",
        JsonEncoding.NonReversible => "application/json; encoding=nonreversible",
        _ => "application/json; encoding=compact",
    };

    private static JsonEncoding? EncodingOf(MediaTypeHeaderValue type)
    {
        if (!HasEncoding(type, out var name))
            return JsonEncoding.Compact;
        foreach (var encoding in Enum.GetValues<JsonEncoding>())
        {
            if (name.Equals(encoding.ToString(), StringComparison.OrdinalIgnoreCase))
                return encoding;
        }

        return null;
    }

    private static bool HasEncoding(MediaTypeHeaderValue type, [NotNullWhen(true)] out string? name)
    {
        name = type.Parameters.FirstOrDefault(static one => Is(one.Name, Parameter))?.GetUnescapedValue().ToString();
        return name is not null;
    }

    private static bool IsJson(StringSegment type) => Is(type, Json);

    private static bool Is(StringSegment text, string other) => text.Equals(other, StringComparison.OrdinalIgnoreCase);
}
