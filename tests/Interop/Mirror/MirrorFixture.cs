using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.Mirror;

/// <summary>A gateway in front of a server with a whole model of its own.</summary>
public sealed class MirrorFixture : IAsyncLifetime, IDisposable
{
    public const string PlantUri = "urn:interop:plant";

    internal TemporaryFolder Folder { get; } = new();

    internal TestCertificate Client { get; private set; } = null!;

    internal MirrorServer Server { get; private set; } = null!;

    internal GatewayProcess Gateway { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        if (PeerRequirement.Reason is not null)
            return;
        Client = TestCertificate.ForApplication(Folder.Path, "urn:interop:client");
        Server = await MirrorServer.StartAsync(Folder, "One", PlantUri);
        Gateway = await GatewayProcess.StartAsync(Folder,
            "--demo", "--Simulator:Enabled=false",
            "--Upstreams:0:Name=One", $"--Upstreams:0:EndpointUrl={Server.EndpointUrl}");
        await PeerProcess.RunAsync("await.js", PeerArguments.Create(
            Folder, Client, Gateway.EndpointUrl, new { uris = new[] { PlantUri }, id = "s=Link" }));
    }

    public async Task DisposeAsync()
    {
        if (Gateway is not null)
            await Gateway.DisposeAsync();
        if (Server is not null)
            await Server.DisposeAsync();
    }

    public void Dispose() => Folder.Dispose();
}
