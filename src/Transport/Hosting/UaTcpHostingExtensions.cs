using System.Net;
using System.Net.Security;
using Gateway.Admission;
using Gateway.Admission.Load;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Http;
using Gateway.Transport.Security;
using Gateway.Transport.Sockets;
using Gateway.Transport.Timing;
using Gateway.Transport.Tracing;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Hosting;

/// <summary>How a host gets its UA-TCP listener.</summary>
public static class UaTcpHostingExtensions
{
    /// <summary>Adds a UA-TCP listener; <see cref="UaTcpConnectionHandler"/> comes from the services.</summary>
    public static void ListenUaTcp(this KestrelServerOptions kestrel, IPEndPoint endPoint) =>
        kestrel.Listen(
            SocketListenerFactory.IsSupported ? new UaTcpEndPoint(endPoint) : endPoint, listen => listen.UseUaTcp());

    /// <summary>Adds a listener for HTTP/1 that is bounded as UA-TCP's is.</summary>
    public static void ListenHttp(this KestrelServerOptions kestrel, IPEndPoint endPoint) =>
        kestrel.Listen(new HttpEndPoint(endPoint), static listen => listen.Protocols = HttpProtocols.Http1);

    /// <summary>The same with TLS, for HTTP/1 and HTTP/2.</summary>
    /// <param name="kestrel">That listens.</param>
    /// <param name="endPoint">Where.</param>
    /// <param name="tls">Of each handshake; it begins when this has the options.</param>
    public static void ListenHttps(
        this KestrelServerOptions kestrel, IPEndPoint endPoint,
        Func<EndPoint?, CancellationToken, ValueTask<SslServerAuthenticationOptions>> tls) =>
        kestrel.Listen(new HttpEndPoint(endPoint), listen =>
        {
            listen.Protocols = HttpProtocols.Http1AndHttp2;
            listen.UseHttps(new TlsHandshakeCallbackOptions
            {
                HandshakeTimeout = kestrel.Limits.RequestHeadersTimeout,
                OnConnection = client => tls(client.Connection.RemoteEndPoint, client.CancellationToken),
            });
        });

    public static IConnectionBuilder UseUaTcp(this IConnectionBuilder listener)
    {
        // Made with the parts or by the first connection: Kestrel is configured before there are any.
        var handler = new Lazy<UaTcpConnectionHandler>(
            listener.ApplicationServices.GetRequiredService<UaTcpConnectionHandler>);
        return listener.Run(connection => handler.Value.OnConnectedAsync(connection));
    }

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

    /// <summary>Registers the transport. Messages go to <typeparamref name="THandler"/>. Needs <see
    /// cref="UaTcpOptions"/>, <see cref="TransportLimits"/>, <see cref="HttpLimits"/>, the PKI, admission and the <see
    /// cref="TimeProvider"/>.</summary>
    public static IServiceCollection AddUaTcp<THandler>(this IServiceCollection services)
        where THandler : class, IChannelHandler => services
        .AddSingleton<IHandshakeGuess, PrivateKeyGuess>()
        .AddSingleton<PlantLateness>()
        .AddSingleton(static of => new TransportContext(
            of.GetRequiredService<TransportLimits>(),
            of.GetRequiredService<HttpLimits>(),
            of.GetRequiredService<AdmissionControl>(),
            of.GetRequiredService<PlantLateness>(),
            of.GetRequiredService<TimeProvider>(),
            of.GetRequiredService<ILoggerFactory>(),
            of.GetRequiredService<UaTcpOptions>().OutgoingConnections)
        {
            Tracing = of.GetService<RequestTracing>(),
            ReverseDescriptors = of.GetRequiredService<UaTcpOptions>().ReverseDescriptors,
        })
        .AddSingleton(static of => MakeServerOptions(
            of.GetRequiredService<UaTcpOptions>(), of.GetRequiredService<OwnCertificate>(),
            of.GetRequiredService<CertificateValidators>()))
        .AddSingleton(static of => new UaTcpConnectionHandler(
            of.GetRequiredService<TransportContext>(), of.GetRequiredService<UaTcpServerOptions>(),
            of.GetRequiredService<THandler>()));

    /// <summary>The same for a program that has made these parts itself; messages go to its <see
    /// cref="IChannelHandler"/>.</summary>
    public static IServiceCollection AddUaTcp(
        this IServiceCollection services, TransportContext context, UaTcpServerOptions options) =>
        services.AddSingleton(context).AddSingleton(options).AddSingleton<UaTcpConnectionHandler>();

    private static UaTcpServerOptions MakeServerOptions(
        UaTcpOptions options, OwnCertificate certificate, CertificateValidators validators) => new()
        {
            Security = options.Security,
            Certificate = () => certificate.Current,
            Validator = validators.Clients,
        };
}
