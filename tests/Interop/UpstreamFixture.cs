using System.Security.Cryptography.X509Certificates;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>A gateway in front of two of node-opcua's servers.</summary>
public sealed class UpstreamFixture : IAsyncLifetime, IDisposable
{
    public const string FirstUri = "urn:interop:machine:first";
    public const string SecondUri = "urn:interop:machine:second";

    internal TemporaryFolder Folder { get; } = new();

    internal PlantServer First { get; private set; } = null!;

    internal PlantServer Second { get; private set; } = null!;

    internal GatewayProcess Gateway { get; private set; } = null!;

    internal TestCertificate Client { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        if (PeerRequirement.Reason is not null)
            return;
        Client = TestCertificate.ForApplication(Folder.Path, "urn:interop:client");
        First = await PlantServer.StartAsync(Folder, "first", FirstUri, changeMs: 250, structures: true);
        Second = await PlantServer.StartAsync(Folder, "second", SecondUri, changeMs: 250, structures: true);
        Trust("first");
        Trust("second");
        Gateway = await GatewayProcess.StartAsync(Folder,
            "--demo", "--Simulator:Enabled=false", "--Alarms:Confirm=true",
            "--Upstreams:0:Name=First", $"--Upstreams:0:EndpointUrl={First.EndpointUrl}",
            "--Upstreams:0:SecurityPolicy=Basic256Sha256", "--Upstreams:0:SecurityMode=SignAndEncrypt",
            "--Upstreams:0:PublishingIntervalMs=100",
            "--Upstreams:1:Name=Second", $"--Upstreams:1:EndpointUrl={Second.EndpointUrl}",
            "--Upstreams:1:SecurityPolicy=Aes256_Sha256_RsaPss", "--Upstreams:1:SecurityMode=SignAndEncrypt",
            "--Upstreams:1:User=operator", "--Upstreams:1:Password=secret",
            "--Upstreams:1:PublishingIntervalMs=100");
        await AwaitNamespacesAsync();
    }

    public async Task DisposeAsync()
    {
        if (Gateway is not null)
            await Gateway.DisposeAsync();
        if (First is not null)
            await First.DisposeAsync();
        if (Second is not null)
            await Second.DisposeAsync();
    }

    public void Dispose() => Folder.Dispose();

    /// <summary>Both upstreams are there once their tags can be read: the gateway is ready before they are.</summary>
    private async Task AwaitNamespacesAsync()
    {
        await using PeerProcess wait = PeerProcess.Start("await.js", PeerArguments.Create(
            Folder, Client, Gateway.EndpointUrl, new { uris = new[] { FirstUri, SecondUri }, id = "i=1000" }));
        try
        {
            await wait.ResultAsync();
        }
        catch (Exception exception)
        {
            throw new InvalidOperationException("the upstreams did not appear\n" + Gateway.Output, exception);
        }
    }

    private void Trust(string name)
    {
        string pem = File.ReadAllText(Path.Combine(Folder.Sub(name + "-pki"), "own", "certs", "certificate.pem"));
        using X509Certificate2 certificate = X509Certificate2.CreateFromPem(pem);
        File.WriteAllBytes(Path.Combine(Folder.Sub("gateway", "pki", "trusted", "certs"), name + ".der"),
            certificate.RawData);
    }
}
