using Gateway.Transport.Certificates;
using Microsoft.Extensions.Hosting;

namespace Gateway.Server.Hosting;

/// <summary>Writes changes of trust lists and accepted certificates to the audit log.</summary>
internal sealed class CertificateAudit(PkiStore pki, GatewayServer server) : IHostedLifecycleService
{
    public Task StartingAsync(CancellationToken cancellationToken)
    {
        pki.CertificateAccepted += server.OnCertificateAccepted;
        pki.TrustListEdited += server.OnTrustListChanged;
        return Task.CompletedTask;
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>The connections have ended by now.</summary>
    public Task StoppedAsync(CancellationToken cancellationToken)
    {
        pki.CertificateAccepted -= server.OnCertificateAccepted;
        pki.TrustListEdited -= server.OnTrustListChanged;
        return Task.CompletedTask;
    }
}
