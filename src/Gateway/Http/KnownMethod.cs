namespace Gateway.Host.Http;

/// <summary>The method of a request as a label or a tag: its peer chooses it, so only HTTP's own are told apart.
/// </summary>
internal static class KnownMethod
{
    /// <summary>OpenTelemetry's name for a method that is none of HTTP's.</summary>
    private const string Other = "_OTHER";

    private static readonly string[] All = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"];

    public static string Of(HttpRequest request)
    {
        var method = request.Method;
        // Kestrel's own texts of the known methods are these, so that most are found by reference.
        foreach (var one in All)
        {
            if (string.Equals(one, method, StringComparison.Ordinal))
                return one;
        }

        return Other;
    }
}
