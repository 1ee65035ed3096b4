using System.Security.Cryptography.X509Certificates;
using Gateway.Client;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Gateway.Transport.Certificates;

namespace Gateway.Interop.WebSockets;

/// <summary>A gateway, a HAProxy in front of it where there is one, and our client with a certificate.</summary>
public sealed class WebSocketFixture : IAsyncLifetime, IDisposable
{
    private readonly TemporaryFolder folder = new();
    private ApplicationCertificate? certificate;
    private Haproxy? proxy;

    internal GatewayProcess Gateway { get; private set; } = null!;

    internal UaClient Client { get; private set; } = null!;

    /// <summary>Of HAProxy; 0 without it.</summary>
    internal int TlsPort => proxy?.Port ?? 0;

    public async Task InitializeAsync()
    {
        Gateway = await GatewayProcess.StartAsync(folder, "--demo");
        TestCertificate files = TestCertificate.ForApplication(folder.Path, "urn:interop:websocket");
        TestCertificate tls = TestCertificate.ForApplication(folder.Path, "urn:interop:proxy");
        certificate = new(X509Certificate2.CreateFromPemFile(files.CertificateFile, files.PrivateKeyFile));
        Client = new(new ClientOptions
        {
            Certificate = certificate,
            CertificateValidator = new TrustingValidator(),
            TlsCertificateCheck = (_, shown, _, _) =>
                shown is not null && shown.GetRawCertData().SequenceEqual(tls.Der),
        });
        if (PeerRequirement.ReasonOf(PeerProgram.Haproxy) is null)
        {
            PeerRequirement.Demand(PeerProgram.Haproxy);
            proxy = await Haproxy.StartAsync(folder, tls, Gateway.HttpPort);
        }
    }

    public async Task DisposeAsync()
    {
        if (proxy is { } running)
            await running.DisposeAsync();
        await Gateway.DisposeAsync();
    }

    public void Dispose()
    {
        Client?.Dispose();
        certificate?.Dispose();
        folder.Dispose();
    }
}
