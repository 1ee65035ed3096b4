using System.Net;
using Gateway.Transport.Profiles;

namespace Gateway.Server.Discovery;

/// <summary>Where the services are to be had over HTTPS.</summary>
/// <param name="Port">Of the listener.</param>
/// <param name="Path">In front of a service's name.</param>
/// <param name="IsOfThisMachineAlone">Clients elsewhere do not reach it, and are not told of it.</param>
public sealed record HttpsOffer(int Port, string Path, bool IsOfThisMachineAlone)
{
    /// <summary>Null: it is not there for a client that reached the gateway by this host.</summary>
    /// <param name="profile">One of <see cref="TransportProfiles.Json"/>.</param>
    /// <param name="host">As the client names it.</param>
    internal string? UrlFor(TransportProfile profile, string host) =>
        IsThereFor(host) ? profile.UrlOf(host, Port) + Path : null;

    /// <summary>Of the same listener, for the conversation of UA-TCP; null: likewise.</summary>
    internal string? SocketUrlFor(string host) =>
        IsThereFor(host) ? TransportProfiles.SecureWebSocket.UrlOf(host, Port) : null;

    private bool IsThereFor(string host) => !IsOfThisMachineAlone || IsThisMachine(host);

    private static bool IsThisMachine(string host) =>
        host.Equals("localhost", StringComparison.OrdinalIgnoreCase) ||
        (IPAddress.TryParse(host.Trim('[', ']'), out var address) && IPAddress.IsLoopback(address));
}
