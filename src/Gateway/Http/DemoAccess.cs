using System.Net;
using Gateway.Host.Configuration;
using Gateway.Operations.Access;

namespace Gateway.Host.Http;

/// <summary>With <c>--demo</c> a client on the same machine needs no login. This excludes clients behind a proxy on it,
/// and web pages whose own name points to loopback.</summary>
internal static class DemoAccess
{
    private static readonly string[] ProxyHeaders = ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"];

    /// <summary>The Host that was found local last: the requests of a connection have the same.</summary>
    private static volatile string? s_lastLocal;

    /// <summary>May see and try every path; the anonymous user of UA-TCP in the same mode is an Operator.</summary>
    public static UserIdentity User { get; } = new(
        "", "demo", Roles.Observer | Roles.Operator | Roles.Engineer | Roles.SecurityAdmin, UserKind.Anonymous);

    public static bool IsAllowed(DemoOptions demo, HttpContext context) =>
        demo.IsDemo &&
        context.Connection.RemoteIpAddress is { } remote && IPAddress.IsLoopback(Plain(remote)) &&
        IsLocal(context.Request.Host) &&
        !IsOfProxy(context.Request.Headers);

    private static bool IsLocal(HostString host)
    {
        if (host.Value is { } text && text == s_lastLocal)
            return true;
        if (!IsLocalName(host.Host))
            return false;
        s_lastLocal = host.Value;
        return true;
    }

    private static bool IsLocalName(string host) =>
        host.Equals("localhost", StringComparison.OrdinalIgnoreCase) ||
        (IPAddress.TryParse(host.Trim('[', ']'), out var address) && IPAddress.IsLoopback(address));

    private static bool IsOfProxy(IHeaderDictionary headers)
    {
        foreach (var name in ProxyHeaders)
        {
            if (headers.ContainsKey(name))
                return true;
        }

        return false;
    }

    private static IPAddress Plain(IPAddress address) => address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
}
