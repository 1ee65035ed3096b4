using Gateway.Host.Configuration;
using Gateway.Host.Http;
using Gateway.Host.Logging;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
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
            kestrel.Listen(settings.HttpEndPoint, listen => listen.Protocols = HttpProtocols.Http1);
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
}
