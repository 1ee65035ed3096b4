using Gateway.Server.Management;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;

namespace Gateway.Host.Hosting;

/// <summary>Ends channels, and what users have open, whose certificate no longer passes when a trust list changes, not
/// at their next renewal (R31).</summary>
internal sealed partial class TrustListWatch(
    PkiStore pki, CertificateValidators validators, UaTcpConnectionHandler connections, SessionDirectory sessions,
    ILogger<TrustListWatch> logger)
    : IHostedLifecycleService
{
    private readonly ILogger _logger = logger;

    public Task StartingAsync(CancellationToken cancellationToken)
    {
        pki.TrustListChanged += Recheck;
        return Task.CompletedTask;
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>All connections end now.</summary>
    public Task StoppingAsync(CancellationToken cancellationToken)
    {
        pki.TrustListChanged -= Recheck;
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private void Recheck()
    {
        var users = sessions.RecheckUsers();
        if (users > 0)
            LogUsers(users);
        var ended = connections.Recheck(channel => channel.PeerCertificate.Length == 0 || IsStillAccepted(channel));
        if (ended > 0)
            LogRecheck(ended);
    }

    /// <summary>The channel has proven its certificate: the new verdict spares its next handshake the work.</summary>
    private bool IsStillAccepted(SecureChannel channel)
    {
        var verdict = validators.Clients.Validate(channel.PeerCertificateChain, channel.Policy, null);
        validators.Clients.Proven(verdict);
        return verdict.IsAccepted;
    }

    [LoggerMessage(
        EventId = 8060, Level = LogLevel.Warning,
        Message = "{Count} channels were closed because the trust list changed and their certificate no longer passes")]
    private partial void LogRecheck(int count);

    [LoggerMessage(
        EventId = 8061, Level = LogLevel.Warning,
        Message = "{Count} sessions were ended because the trust list changed and their user's certificate no longer "
            + "passes")]
    private partial void LogUsers(int count);
}
