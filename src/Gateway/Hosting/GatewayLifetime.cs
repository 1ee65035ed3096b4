using Gateway.Host.Configuration;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Profiles;

namespace Gateway.Host.Hosting;

/// <summary>
/// Start: values move, Kestrel listens, the ready line is printed. Stop: the shutdown is announced in ServerStatus and
/// /readyz, sessions end, connections end, Kestrel stops, the parts are taken apart.
/// </summary>
internal sealed partial class GatewayLifetime(
    GatewaySettings settings,
    GatewayParts parts,
    UaTcpConnectionHandler connections,
    Readiness readiness,
    TimeProvider time,
    ILogger<GatewayLifetime> logger) : IHostedLifecycleService, IAsyncDisposable
{
    private static readonly TimeSpan CertificateCheckInterval = TimeSpan.FromDays(1);

    private readonly ILogger _logger = logger;
    private ITimer? _certificateTimer;

    public Task StartingAsync(CancellationToken cancellationToken)
    {
        TellWhereItReads();
        Warn();
        parts.Start();
        parts.Pki.TrustListChanged += RecheckChannels;
        _certificateTimer = time.CreateTimer(
            _ => parts.CertificateStore.WarnBeforeExpiry(parts.Certificate),
            null, CertificateCheckInterval, CertificateCheckInterval);
        return Task.CompletedTask;
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Kestrel listens by now.</summary>
    public Task StartedAsync(CancellationToken cancellationToken)
    {
        readiness.Set(true);
        // Bare in both formats of the log: scripts wait for it.
        Console.Out.WriteLine(
            $"Gateway ready: {Url(TransportProfiles.UaTcp.Scheme, settings.OpcUaEndPoint)} " +
            Url("http", settings.HttpEndPoint));
        Console.Out.Flush();
        return Task.CompletedTask;
    }

    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        readiness.Set(false);
        parts.Pki.TrustListChanged -= RecheckChannels;
        LogShutdown(parts.Server.SessionCount, settings.ShutdownAnnounce.TotalSeconds);
        parts.Server.BeginShutdown(settings.ShutdownAnnounce);
        try
        {
            // Nobody is there to be told: nothing to wait for.
            if (parts.Server.SessionCount > 0)
                await Task.Delay(settings.ShutdownAnnounce, time, cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            LogHurry();
        }
        parts.Server.CloseSessions();
        connections.CloseAll();
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken)
    {
        LogStopped();
        return Task.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        if (_certificateTimer is not null)
            await _certificateTimer.DisposeAsync().ConfigureAwait(false);
    }

    private static string Url(string scheme, System.Net.IPEndPoint endPoint)
    {
        var isAny = endPoint.Address.Equals(System.Net.IPAddress.Any) ||
            endPoint.Address.Equals(System.Net.IPAddress.IPv6Any);
        var builder =
            new UriBuilder(scheme, isAny ? System.Net.Dns.GetHostName() : endPoint.Address.ToString(), endPoint.Port);
        return builder.Uri.GetLeftPart(UriPartial.Authority);
    }

    private void TellWhereItReads()
    {
        foreach (var file in settings.ConfigurationFiles)
            LogConfigurationFile(file);
        if (!settings.ConfigurationFiles.Any(file => Path.GetDirectoryName(file) == Environment.CurrentDirectory))
            LogNoConfigurationFile(Environment.CurrentDirectory);
        foreach (var warning in settings.Warnings)
            LogUnusedKey(warning);
        LogPki(parts.Pki.Root);
        if (parts.IsPkiShared)
            LogSharedPki(parts.Pki.Root, parts.Certificate.ApplicationUri);
        if (settings.IsApplicationUriGiven && settings.ApplicationUri != parts.Certificate.ApplicationUri)
            LogOtherUri(settings.ApplicationUri, parts.Certificate.ApplicationUri, parts.Pki.Root);
    }

    private void Warn()
    {
        if (settings.IsDemo)
            LogDemo();
        else if (settings.AutoTrust)
            LogAutoTrust();
        if (settings.AcceptUnknownRevocation)
            LogCheckIsOff("AcceptUnknownRevocation", "of authorities without a current revocation list");
        if (settings.AcceptMissingKeyUsage)
            LogCheckIsOff("AcceptMissingKeyUsage", "which do not say what their key is for");
        if (settings.AcceptMissingDataEncipherment)
            LogCheckIsOff("AcceptMissingDataEncipherment", "whose key usage lacks dataEncipherment");
        foreach (var result in parts.NodeSets)
            LogNodeSet(result.File, result.Nodes, result.Warnings.Count);
        var maxSessions = settings.ServerLimits.MaxSessions;
        if (settings.TransportLimits.MaxConnections <= maxSessions)
            LogFewConnections(settings.TransportLimits.MaxConnections, maxSessions);
        var limits = settings.PublishLimits;
        if (limits.MaxPublishRequestsPerSession <= limits.MaxSubscriptionsPerSession)
            LogFewPublishRequests(limits.MaxPublishRequestsPerSession, limits.MaxSubscriptionsPerSession);
    }

    /// <summary>Channels whose certificate no longer passes end now, not at their next renewal (R31).</summary>
    private void RecheckChannels()
    {
        var ended = connections.Recheck(channel => channel.PeerCertificate.Length == 0 || IsStillAccepted(channel));
        if (ended > 0)
            LogRecheck(ended);
    }

    /// <summary>The channel has proven its certificate: the new verdict spares its next handshake the work.</summary>
    private bool IsStillAccepted(SecureChannel channel)
    {
        var verdict = parts.Clients.Validate(channel.PeerCertificateChain, channel.Policy, null);
        parts.Clients.Proven(verdict);
        return verdict.IsAccepted;
    }
}
