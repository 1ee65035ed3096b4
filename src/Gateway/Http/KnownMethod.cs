namespace Gateway.Host.Http;

/// <summary>The method of a request as a label or a tag: its peer chooses it, so only HTTP's own are told apart.
/// </summary>
internal static class KnownMethod
{
    /// <summary>OpenTelemetry's name for a method that is none of HTTP's.</summary>
    private const string Other = "_OTHER";

    private static readonly string[] All = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"];

    public static string Of(HttpRequest request) =>
        Array.Find(All, one => one.Equals(request.Method, StringComparison.Ordinal)) ?? Other;
}
