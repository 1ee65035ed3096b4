using System.Net;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Gateway.Testing.Loopback;

/// <summary>The parts behind Kestrel on a free port of the loopback address.</summary>
internal sealed class SocketServer : IAsyncDisposable
{
    private readonly WebApplication _application;

    private SocketServer(LoopbackParts parts, WebApplication application, IPEndPoint endPoint)
    {
        Parts = parts;
        _application = application;
        EndPoint = endPoint;
    }

    public LoopbackParts Parts { get; }

    public IPEndPoint EndPoint { get; }

    public static async Task<SocketServer> StartAsync()
    {
        SocketTuning.Apply();
        var parts = new LoopbackParts(TimeProvider.System);
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUaTcpSockets();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.ListenUaTcp(new IPEndPoint(IPAddress.Loopback, 0)));
        builder.Services.AddSingleton<IChannelHandler>(_ => parts.Server);
        builder.Services.AddUaTcp(parts.Transport, parts.Options);
        var application = builder.Build();
        parts.Publishing.Start();
        await application.StartAsync().ConfigureAwait(false);
        var addresses = application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!;
        var port = new Uri(addresses.Addresses.First()).Port;
        return new SocketServer(parts, application, new IPEndPoint(IPAddress.Loopback, port));
    }

    public WireClient Connect() => new(new SocketWire(EndPoint), Parts.Client, Parts.Certificate);

    /// <summary>Returns when the server has let go of all connections but so many.</summary>
    public void AwaitConnections(int left)
    {
        if (!SpinWait.SpinUntil(() => Parts.Transport.Counters.Connections <= left, Patience.Limit))
            throw new TimeoutException("Connections are left over.");
    }

    public async ValueTask DisposeAsync()
    {
        await _application.DisposeAsync().ConfigureAwait(false);
        await Parts.DisposeAsync().ConfigureAwait(false);
    }
}
