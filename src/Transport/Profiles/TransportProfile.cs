using System.Globalization;

namespace Gateway.Transport.Profiles;

/// <summary>One way to reach a server: a row of <see cref="TransportProfiles"/>.</summary>
/// <param name="Uri">The TransportProfileUri of an EndpointDescription. Source: Part 7 §6.6.</param>
/// <param name="Scheme">Of its URLs, lower case.</param>
/// <param name="DefaultPort">Where a URL names none.</param>
/// <param name="IsOfClient">The client can connect by it.</param>
public sealed record TransportProfile(string Uri, string Scheme, int DefaultPort, bool IsOfClient)
{
    /// <summary><c>scheme://host:port</c>.</summary>
    public string UrlOf(string host, int port) =>
        string.Create(CultureInfo.InvariantCulture, $"{Scheme}://{host}:{port}");

    /// <summary>The port of one of its URLs.</summary>
    public int PortOf(Uri url) => url.Port > 0 ? url.Port : DefaultPort;
}
