namespace Gateway.Server.Discovery;

/// <summary>The URL that a client reached us by, made fit to be advertised: scheme, host and port only.</summary>
internal static class EndpointUrls
{
    private const string Scheme = "opc.tcp";
    private const int DefaultPort = 4840;
    private const int MaxUrlLength = 1024;
    private const int MaxHostLength = 255;

    /// <summary>The first of the candidates that names a usable host, as <c>opc.tcp://host:port</c>; null for none.
    /// </summary>
    public static string? Normalise(string? requested, string? hello) => Normalise(requested) ?? Normalise(hello);

    private static string? Normalise(string? url)
    {
        if (string.IsNullOrEmpty(url) || url.Length > MaxUrlLength ||
            !Uri.TryCreate(url, UriKind.Absolute, out var uri) ||
            !string.Equals(uri.Scheme, Scheme, StringComparison.OrdinalIgnoreCase))
            return null;
        var host = uri.Host;
        if (host.Length is 0 or > MaxHostLength || Uri.CheckHostName(host) == UriHostNameType.Unknown)
            return null;
        var port = uri.Port > 0 ? uri.Port : DefaultPort;
        return string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{Scheme}://{host}:{port}");
    }
}
