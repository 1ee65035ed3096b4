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
        return origins.Count == 0 || IsNamed(request) ||
            (Uri.TryCreate(origins.ToString(), UriKind.Absolute, out var page) && IsOwn(page, request));
    }

    /// <summary>A page that the operator has named.</summary>
    public bool IsNamed(HttpRequest request) => _allowed.Contains(request.Headers.Origin.ToString());

    /// <summary>A page that came by TLS may ask without it, because a proxy in front may end the TLS connection. The
    /// other way round, somebody on the way could have made the page.</summary>
    private static bool IsOwn(Uri page, HttpRequest request) =>
        (page.Scheme == "https" || (page.Scheme == "http" && !request.IsHttps)) &&
        page.Host.Equals(request.Host.Host, StringComparison.OrdinalIgnoreCase) &&
        page.Port == (request.Host.Port ?? (page.Scheme == "https" ? 443 : 80));
}
