using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.Mirror;

/// <summary>A gateway in front of two servers that have DI, IA, Machinery and models of their own in common, at other
/// namespace indexes.</summary>
public sealed class SharedModelFixture : IAsyncLifetime, IDisposable
{
    internal static string[] Names { get; } = ["One", "Two"];

    internal TemporaryFolder Folder { get; } = new();

    internal TestCertificate Client { get; private set; } = null!;

    internal Dictionary<string, MirrorServer> Servers { get; } = [];

    internal GatewayProcess Gateway { get; private set; } = null!;

    internal static string PlantUri(string name) => "urn:interop:plant:" + name;

    public async Task InitializeAsync()
    {
        if (PeerRequirement.Reason is not null)
            return;
        Client = TestCertificate.ForApplication(Folder.Path, "urn:interop:client");
        foreach (string name in Names)
            Servers[name] = await MirrorServer.StartAsync(Folder, name, PlantUri(name), otherOrder: name == "Two");
        Gateway = await GatewayProcess.StartAsync(Folder,
        [
            "--demo", "--Simulator:Enabled=false",
            .. Names.SelectMany((name, i) => new[]
            {
                $"--Upstreams:{i}:Name={name}", $"--Upstreams:{i}:EndpointUrl={Servers[name].EndpointUrl}",
            }),
        ]);
        await PeerProcess.RunAsync("await.js", PeerArguments.Create(
            Folder, Client, Gateway.EndpointUrl, new { uris = Names.Select(PlantUri), id = "s=Link" }));
    }

    public async Task DisposeAsync()
    {
        if (Gateway is not null)
            await Gateway.DisposeAsync();
        foreach (MirrorServer server in Servers.Values)
            await server.DisposeAsync();
    }

    public void Dispose() => Folder.Dispose();
}
