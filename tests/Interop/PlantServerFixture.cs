using System.Security.Cryptography.X509Certificates;
using Gateway.Client;
using Gateway.Interop.Scripts;
using Gateway.Transport.Certificates;

namespace Gateway.Interop;

/// <summary>node-opcua's server, and our client with a certificate.</summary>
public sealed class PlantServerFixture : IAsyncLifetime, IDisposable
{
    private readonly TemporaryFolder folder = new();
    private ApplicationCertificate? certificate;

    internal PlantServer? Server { get; private set; }

    internal UaClient Client { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        if (PeerRequirement.Reason is not null)
            return;
        Server = await PlantServer.StartAsync(folder, "plant", PeerArguments.SimulatorUri);
        TestCertificate files = TestCertificate.ForApplication(folder.Path, "urn:interop:gateway");
        certificate = new(X509Certificate2.CreateFromPemFile(files.CertificateFile, files.PrivateKeyFile));
        Client = new(new ClientOptions { Certificate = certificate, CertificateValidator = new TrustingValidator() });
    }

    public async Task DisposeAsync()
    {
        if (Server is not null)
            await Server.DisposeAsync();
    }

    public void Dispose()
    {
        Client?.Dispose();
        certificate?.Dispose();
        folder.Dispose();
    }
}
