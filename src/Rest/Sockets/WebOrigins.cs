using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Sockets;

/// <summary>Which web pages may open a WebSocket: those of the gateway's own host and port, and those that the operator
/// has named. A browser lets any page open one to any host, and sends the user's login along; but it always says where
/// the page comes from. A client that is no browser sends no Origin. Source: RFC 6455 §10.2.</summary>
/// <param name="allowed">Origins like <c>https://hmi.example</c>.</param>
public sealed class WebOrigins(IEnumerable<string> allowed)
{
    private readonly HashSet<string> _allowed = new(
        allowed.Select(static origin => origin.TrimEnd('/')), StringComparer.OrdinalIgnoreCase);

    public bool IsAllowed(HttpRequest request)
    {
        var origins = request.Headers.Origin;
        if (origins.Count == 0)
            return true;
        var origin = origins.ToString();
        return _allowed.Contains(origin) ||
            (Uri.TryCreate(origin, UriKind.Absolute, out var page) && IsOwn(page, request.Host));
    }

    /// <summary>The scheme may differ: a proxy in front may end the TLS connection.</summary>
    private static bool IsOwn(Uri page, HostString host) =>
        page.Scheme is "http" or "https" &&
        page.Host.Equals(host.Host, StringComparison.OrdinalIgnoreCase) &&
        page.Port == (host.Port ?? (page.Scheme == "https" ? 443 : 80));
}
