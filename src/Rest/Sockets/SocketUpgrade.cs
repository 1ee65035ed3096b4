using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Gateway.Rest.Sockets;

/// <summary>Prepares a request for a WebSocket before its user is checked: the login that stands among its
/// sub-protocols becomes its Authorization, and its stream is metered. A page of another origin is refused before that:
/// its wrong logins would slow down the user at whose machine it is shown (R30). Thread-safe.</summary>
internal sealed class SocketUpgrade(RestLimits limits, WebOrigins origins, TimeProvider time) : IStartupFilter
{
    /// <summary>Clients leave the path out, too.</summary>
    private const string OpcUaPath = "/opcua";

    public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next) => application =>
    {
        application.Use(RunAsync);
        next(application);
    };

    /// <summary>It asks for a WebSocket by HTTP/1.1, or by HTTP/2 (RFC 8441).</summary>
    public static bool IsAsked(HttpRequest request) =>
        request.Headers.Upgrade.Count > 0 || HttpMethods.IsConnect(request.Method);

    private Task RunAsync(HttpContext context, RequestDelegate next) =>
        IsAsked(context.Request) ? PrepareAsync(context, next) : next(context);

    private Task PrepareAsync(HttpContext context, RequestDelegate next)
    {
        var features = context.Features;
        if (features.Get<IHttpUpgradeFeature>() is { IsUpgradableRequest: true } upgrade)
        {
            if (!origins.IsAllowed(context.Request))
                return SocketBook.RefuseOriginAsync(context);
            features.Set<IHttpUpgradeFeature>(new Upgrade(upgrade, Prepare(context)));
        }
        else if (features.Get<IHttpExtendedConnectFeature>() is { IsExtendedConnect: true } connect)
        {
            if (!origins.IsAllowed(context.Request))
                return SocketBook.RefuseOriginAsync(context);
            features.Set<IHttpExtendedConnectFeature>(new Connect(connect, Prepare(context)));
        }

        return next(context);
    }

    private FrameMeter Prepare(HttpContext context)
    {
        SocketProtocols.MoveLogin(context.Request.Headers);
        if (context.Request.Path == "/" && SocketProtocols.IsOpcUa(context.Request.Headers.SecWebSocketProtocol))
            context.Request.Path = OpcUaPath;
        var meter = new FrameMeter(limits.MaxHttpWebSocketControlFramesPerSecond, time);
        context.Features.Set(meter);
        return meter;
    }

    /// <summary>HTTP/1.1.</summary>
    private sealed class Upgrade(IHttpUpgradeFeature inner, FrameMeter meter) : IHttpUpgradeFeature
    {
        public bool IsUpgradableRequest => inner.IsUpgradableRequest;

        public async Task<Stream> UpgradeAsync() =>
            new MeteredStream(await inner.UpgradeAsync().ConfigureAwait(false), meter);
    }

    /// <summary>HTTP/2. Source: RFC 8441.</summary>
    private sealed class Connect(IHttpExtendedConnectFeature inner, FrameMeter meter) : IHttpExtendedConnectFeature
    {
        public bool IsExtendedConnect => inner.IsExtendedConnect;

        public string? Protocol => inner.Protocol;

        public async ValueTask<Stream> AcceptAsync() =>
            new MeteredStream(await inner.AcceptAsync().ConfigureAwait(false), meter);
    }
}
