using Gateway.Host.Configuration;
using Gateway.Host.Http;
using Gateway.Host.Logging;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Gateway.Host.Hosting;

/// <summary>One Kestrel with two listeners: UA-TCP and HTTP.</summary>
internal static class GatewayApplication
{
    public static WebApplicationBuilder CreateBuilder(
        IConfiguration configuration, GatewaySettings settings, LogThrottle throttle)
    {
        var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions
        {
            ApplicationName = typeof(GatewayApplication).Assembly.GetName().Name,
            ContentRootPath = AppContext.BaseDirectory,
            // Else a variable of the environment makes error pages with stack traces (R17).
            EnvironmentName = Environments.Production,
        });
        builder.Configuration.Sources.Clear();
        builder.Configuration.AddConfiguration(configuration);
        builder.Logging.AddConsoleLog(settings, throttle);
        builder.Services.AddSingleton(throttle);
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = settings.ShutdownGrace);
        builder.WebHost.UseUaTcpSockets();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.ListenUaTcp(settings.OpcUaEndPoint);
            kestrel.ListenHttp(settings.HttpEndPoint);
            SetLimits(kestrel.Limits, settings.HttpLimits);
        });
        return builder;
    }

    public static WebApplication Build(
        WebApplicationBuilder builder, GatewaySettings settings, GatewayParts parts, TimeProvider time)
    {
        var readiness = new Readiness();
        builder.Services.AddSingleton(settings).AddSingleton(time).AddSingleton(readiness);
        // Instances: the container does not dispose what the host takes apart in its own order.
        builder.Services.AddSingleton(parts).AddSingleton<IChannelHandler>(_ => parts.Server);
        builder.Services.AddUaTcp(parts.Transport, parts.UaTcpOptions(settings));
        builder.Services.AddHostedService<GatewayLifetime>();
        builder.Services.AddHttpApi();
        var application = builder.Build();
        application.MapHealth(readiness);
        application.MapHttpApi();
        return application;
    }

    /// <summary>All that Kestrel bounds of a request. How many connections there are is bounded before it accepts them:
    /// its own MaxConcurrentConnections accepts first and closes then.</summary>
    private static void SetLimits(KestrelServerLimits kestrel, HttpLimits limits)
    {
        kestrel.RequestHeadersTimeout = limits.HttpHeaderDeadline;
        kestrel.KeepAliveTimeout = limits.HttpKeepAliveTime;
        kestrel.MaxRequestLineSize = limits.MaxHttpRequestLineBytes;
        kestrel.MaxRequestHeadersTotalSize = limits.MaxHttpHeaderBytes;
        kestrel.MaxRequestHeaderCount = limits.MaxHttpHeaders;
        kestrel.MaxRequestBodySize = limits.MaxHttpBodyBytes;
        var slowest = new MinDataRate(limits.MinHttpBytesPerSecond, limits.HttpGracePeriod);
        (kestrel.MinRequestBodyDataRate, kestrel.MinResponseDataRate) = (slowest, slowest);
    }
}
