using System.Net;
using System.Runtime.CompilerServices;
using Gateway.AddressSpace.Hosting;
using Gateway.Admission.Hosting;
using Gateway.Host.Configuration;
using Gateway.Host.Hosting;
using Gateway.Host.Http;
using Gateway.Host.Logging;
using Gateway.Host.Overview;
using Gateway.Host.Reloading;
using Gateway.Host.Simulation;
using Gateway.Host.Telemetry;
using Gateway.Host.Tls;
using Gateway.Host.Tokens;
using Gateway.Publish.Hosting;
using Gateway.PubSub.Hosting;
using Gateway.Rest.Management;
using Gateway.Server;
using Gateway.Server.Hosting;
using Gateway.Sources;
using Gateway.Sources.Hosting;
using Gateway.Sources.Modbus.Hosting;
using Gateway.Sources.OpcUa.Hosting;
using Gateway.Sources.Simulator;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Gateway.Host;

/// <summary>One Kestrel with two listeners, UA-TCP and HTTP, and all parts in one container. Parts are made in the
/// order in which they are added here, each after those that it needs; they start in that order and end in the opposite
/// one. Nothing listens before all of them stand.</summary>
internal static class GatewayApplication
{
    /// <param name="options">Without errors.</param>
    /// <param name="time">The clock of all parts.</param>
    /// <param name="drivers">Further drivers, behind the product's own.</param>
    public static WebApplication Build(
        GatewayOptions options, TimeProvider time, params SourceDriverRegistration[] drivers)
    {
        var builder = CreateBuilder(options.Layers);
        builder.Services.AddTls(options.Http.Tls);
        builder.Services.AddGatewayOptions(options).AddSingleton(time);
        builder.Services.AddConsoleLog();
        builder.Services.AddTelemetry(options.Otlp, options.OpcUa.ApplicationUri);
        builder.Services
            .AddPki()
            .AddAdmission()
            .AddUaTcp<GatewayServer>()
            .AddAddressSpace()
            .AddStartReport()
            .AddPublishing()
            .AddKnownCertificates()
            .AddTokens(options.Jwt)
            .AddAuditFiles(options.Audit)
            .AddServer()
            .AddSingleton<IPlantEvents, PlantEvents>()
            .AddSimulatorDriver()
            .AddOpcUaDriver()
            .AddModbusDriver();
        foreach (var driver in drivers)
            builder.Services.AddSingleton(driver);
        builder.Services
            .AddSources()
            .AddStarting<SourceDrivers>(static drivers => drivers.Start())
            .AddDurableSubscriptions()
            .AddMemoryTrim()
            .AddHttpApi(options.Http)
            .AddReloading()
            .AddHealth()
            .AddLifetime();
        if (options.PubSub.IsOn)
            AddPubSub(builder.Services);
        var application = builder.Build();
        application.MapHealth();
        application.MapHttpApi();
        return application;
    }

    /// <summary>By itself, and last, so that it stops first: without a connection, the assemblies of PubSub's
    /// transports are not loaded.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void AddPubSub(IServiceCollection services) =>
        services.AddPubSub()
            .AddSingleton<IPubSubReport, PubSubJson>()
            .AddSingleton<ILivePart, LivePubSub>()
            .AddSingleton<IWriterTrace, WriterTrace>()
            .AddSingleton<INoticeSource, PubSubNotices>();

    private static WebApplicationBuilder CreateBuilder(ConfigurationLayers layers)
    {
        var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions
        {
            ApplicationName = typeof(GatewayApplication).Assembly.GetName().Name,
            ContentRootPath = AppContext.BaseDirectory,
            // Else a variable of the environment makes error pages with stack traces (R17).
            EnvironmentName = Environments.Production,
        });
        builder.Configuration.Sources.Clear();
        builder.Configuration.AddConfiguration(layers.Merged);
        builder.Services.AddOptions<HostOptions>().Configure<ShutdownOptions>(
            static (host, shutdown) => host.ShutdownTimeout = shutdown.Grace);
        builder.WebHost.UseUaTcpSockets();
        builder.Services.AddOptions<KestrelServerOptions>().Configure<UaTcpOptions, HttpOptions, HttpLimits,
            IServiceProvider>(static (kestrel, uaTcp, http, limits, of) =>
            {
                kestrel.AddServerHeader = false;
                SetLimits(kestrel.Limits, limits);
                kestrel.ListenUaTcp(uaTcp.EndPoint);
                if (http.Tls is null)
                    kestrel.ListenHttp(http.EndPoint);
                else
                    ListenHttps(kestrel, http.EndPoint, of);
            });
        return builder;
    }

    /// <summary>By itself: without TLS, its assemblies are not loaded.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ListenHttps(KestrelServerOptions kestrel, IPEndPoint endPoint, IServiceProvider of) =>
        kestrel.ListenHttps(endPoint, of.GetRequiredService<TlsDoor>().BeginAsync);

    private const int Http2WindowBytes = 128 * 1024;

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
        kestrel.Http2.MaxStreamsPerConnection = limits.MaxHttpRequestsPerConnection;
        // They bound the bytes that a client sends before anybody reads them. The framework's: 1 MiB and 768 KiB.
        kestrel.Http2.InitialConnectionWindowSize = Http2WindowBytes;
        kestrel.Http2.InitialStreamWindowSize = Http2WindowBytes;
        var slowest = new MinDataRate(limits.MinHttpBytesPerSecond, limits.HttpGracePeriod);
        (kestrel.MinRequestBodyDataRate, kestrel.MinResponseDataRate) = (slowest, slowest);
    }
}
