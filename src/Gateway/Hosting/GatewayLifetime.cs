using Gateway.Host.Configuration;
using Gateway.Publish.Durable;
using Gateway.Server;
using Gateway.Transport.Hosting;
using Gateway.Transport.Profiles;

namespace Gateway.Host.Hosting;

/// <summary>
/// Kestrel listens: the ready line is printed. Stop: the shutdown is announced in ServerStatus and /readyz, sessions
/// end, connections end, durable subscriptions are saved. Then Kestrel stops, and the container ends the parts.
/// </summary>
internal sealed partial class GatewayLifetime(
    UaTcpOptions uaTcp,
    HttpOptions http,
    ShutdownOptions shutdown,
    GatewayServer server,
    UaTcpConnectionHandler connections,
    DurableSubscriptions durable,
    Readiness readiness,
    TimeProvider time,
    ILogger<GatewayLifetime> logger) : IHostedLifecycleService
{
    private readonly ILogger _logger = logger;

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Kestrel listens by now.</summary>
    public Task StartedAsync(CancellationToken cancellationToken)
    {
        readiness.Set(true);
        // Bare in both formats of the log: scripts wait for it.
        Console.Out.WriteLine(
            $"Gateway ready: {Url(TransportProfiles.UaTcp.Scheme, uaTcp.EndPoint)} {Url(http.Scheme, http.EndPoint)}");
        Console.Out.Flush();
        return Task.CompletedTask;
    }

    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        readiness.Set(false);
        LogShutdown(server.SessionCount, shutdown.Announce.TotalSeconds);
        server.BeginShutdown(shutdown.Announce, shutdown.Absence);
        try
        {
            // Without sessions no client sees the announcement, so there is nothing to wait for.
            if (server.SessionCount > 0)
                await Task.Delay(shutdown.Announce, time, cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            LogHurry();
        }
        server.CloseSessions();
        connections.CloseAll();
        // Before the sources end: their last values say that they have ended, and are no values of the plant.
        await durable.DisposeAsync().ConfigureAwait(false);
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken)
    {
        LogStopped();
        return Task.CompletedTask;
    }

    private static string Url(string scheme, System.Net.IPEndPoint endPoint)
    {
        var isAny = endPoint.Address.Equals(System.Net.IPAddress.Any) ||
            endPoint.Address.Equals(System.Net.IPAddress.IPv6Any);
        var builder =
            new UriBuilder(scheme, isAny ? System.Net.Dns.GetHostName() : endPoint.Address.ToString(), endPoint.Port);
        return builder.Uri.GetLeftPart(UriPartial.Authority);
    }
}
