using Gateway.Host.Configuration;
using Gateway.Host.Http;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging.Console;

namespace Gateway.Host.Hosting;

/// <summary>One Kestrel with two listeners: UA-TCP and HTTP.</summary>
internal static class GatewayApplication
{
    public static WebApplicationBuilder CreateBuilder(IConfiguration configuration, GatewaySettings settings)
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
        AddLogging(builder.Logging, settings);
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

    public static void AddLogging(ILoggingBuilder logging, GatewaySettings settings)
    {
        logging.ClearProviders();
        logging.SetMinimumLevel(LogLevel.Information);
        logging.AddFilter("Microsoft", LogLevel.Warning);
        if (settings.LogsAsJson)
            logging.AddJsonConsole(json => (json.UseUtcTimestamp, json.TimestampFormat) = (true, "O"));
        else
            logging.AddSimpleConsole(simple =>
            {
                simple.SingleLine = true;
                simple.UseUtcTimestamp = true;
                simple.TimestampFormat = "yyyy-MM-dd'T'HH:mm:ss.fff'Z' ";
            });
        // A log that nobody reads must not hold up the plant.
        logging.Services.Configure<ConsoleLoggerOptions>(
            console => console.QueueFullMode = ConsoleLoggerQueueFullMode.DropWrite);
    }
}
