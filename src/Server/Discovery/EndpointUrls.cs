using Gateway.Transport.Profiles;

namespace Gateway.Server.Discovery;

/// <summary>The URL that a client reached us by, made fit to be advertised: scheme, host and port only.</summary>
internal static class EndpointUrls
{
    private const int MaxUrlLength = 1024;
    private const int MaxHostLength = 255;

    /// <summary>The first of the candidates that names a usable host, as <c>opc.tcp://host:port</c>; null for none.
    /// </summary>
    /// <param name="requested">As the client says.</param>
    /// <param name="hello">As the transport says.</param>
    /// <param name="uaTcpPort">Of UA-TCP: a client of HTTP names the host alone.</param>
    public static string? Normalise(string? requested, string? hello, int uaTcpPort) =>
        Normalise(requested, uaTcpPort) ?? Normalise(hello, uaTcpPort);

    private static string? Normalise(string? url, int uaTcpPort)
    {
        if (string.IsNullOrEmpty(url) || url.Length > MaxUrlLength ||
            !Uri.TryCreate(url, UriKind.Absolute, out var uri))
            return null;
        var host = uri.Host;
        if (host.Length is 0 or > MaxHostLength || Uri.CheckHostName(host) == UriHostNameType.Unknown)
            return null;
        if (uri.Scheme == Uri.UriSchemeHttps || uri.Scheme == Uri.UriSchemeHttp)
            return TransportProfiles.UaTcp.UrlOf(host, uaTcpPort);
        return TransportProfiles.TryParse(url, out var profile, out _)
            ? profile.UrlOf(host, profile.PortOf(uri))
            : null;
    }
}
