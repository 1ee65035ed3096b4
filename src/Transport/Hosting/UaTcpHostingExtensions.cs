using System.Net;
using Gateway.Transport.Http;
using Gateway.Transport.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;

namespace Gateway.Transport.Hosting;

/// <summary>How a host gets its UA-TCP listener.</summary>
public static class UaTcpHostingExtensions
{
    /// <summary>Adds a UA-TCP listener; <see cref="UaTcpConnectionHandler"/> comes from the services.</summary>
    public static void ListenUaTcp(this KestrelServerOptions kestrel, IPEndPoint endPoint) =>
        kestrel.Listen(
            SocketListenerFactory.IsSupported ? new UaTcpEndPoint(endPoint) : endPoint, listen => listen.UseUaTcp());

    /// <summary>Adds an HTTP/1 listener that is bounded as UA-TCP's is.</summary>
    public static void ListenHttp(this KestrelServerOptions kestrel, IPEndPoint endPoint) =>
        kestrel.Listen(new HttpEndPoint(endPoint), listen => listen.Protocols = HttpProtocols.Http1);

    public static IConnectionBuilder UseUaTcp(this IConnectionBuilder listener) =>
        listener.UseConnectionHandler<UaTcpConnectionHandler>();

    /// <summary>Our own sockets for UA-TCP where they can be had. Kestrel's serve the rest: inline scheduling, and no
    /// more buffered for a connection than two chunks each way.</summary>
    public static IWebHostBuilder UseUaTcpSockets(this IWebHostBuilder builder)
    {
        builder.UseSockets(sockets =>
        {
            sockets.UnsafePreferInlineScheduling = true;
            sockets.MaxReadBufferSize = 128 * 1024;
            sockets.MaxWriteBufferSize = 128 * 1024;
            sockets.NoDelay = true;
            sockets.Backlog = 4096;
        });
        // Behind Kestrel's: of the factories that can bind an endpoint the last one does.
        return builder.ConfigureServices(services => services
            .AddSingleton<IConnectionListenerFactory>(
                parts => new SocketListenerFactory(parts.GetRequiredService<TransportContext>()))
            .AddSingleton<IConnectionListenerFactory, HttpListenerFactory>());
    }

    /// <summary>The services that <see cref="UaTcpConnectionHandler"/> needs beside an IChannelHandler.</summary>
    public static IServiceCollection AddUaTcp(
        this IServiceCollection services, TransportContext context, UaTcpServerOptions options) =>
        services.AddSingleton(context).AddSingleton(options).AddSingleton<UaTcpConnectionHandler>();
}
