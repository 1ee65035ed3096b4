using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Answers;

/// <summary>Whether a client has an answer already. Source: RFC 9110 §13.1.2.</summary>
public static class EntityTag
{
    /// <param name="request">With its If-None-Match.</param>
    /// <param name="tag">Strong, in quotes.</param>
    public static bool IsKnown(HttpRequest request, string tag) => request.Headers.IfNoneMatch
        .SelectMany(static header => (header ?? "").Split(','))
        .Select(static one => one.Trim())
        .Any(one => one == "*" || one == tag || one == "W/" + tag);
}
