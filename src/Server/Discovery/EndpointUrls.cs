using Gateway.Transport.Profiles;

namespace Gateway.Server.Discovery;

/// <summary>The URL that a client reached us by, made fit to be advertised: scheme, host and port only.</summary>
internal static class EndpointUrls
{
    private const int MaxUrlLength = 1024;
    private const int MaxHostLength = 255;

    /// <summary>The first of the candidates that names a usable host, as <c>opc.tcp://host:port</c>; null for none.
    /// </summary>
    public static string? Normalise(string? requested, string? hello) => Normalise(requested) ?? Normalise(hello);

    private static string? Normalise(string? url)
    {
        if (string.IsNullOrEmpty(url) || url.Length > MaxUrlLength ||
            !TransportProfiles.TryParse(url, out var profile, out var uri))
            return null;
        var host = uri.Host;
        if (host.Length > MaxHostLength || Uri.CheckHostName(host) == UriHostNameType.Unknown)
            return null;
        return profile.UrlOf(host, profile.PortOf(uri));
    }
}
