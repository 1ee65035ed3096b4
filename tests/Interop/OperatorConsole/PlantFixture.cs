using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Gateway.Interop.Browsers;
using Gateway.Interop.Gateways;
using Gateway.Interop.PubSub;
using Gateway.Interop.Scripts;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>A gateway as in a plant: node-opcua's server behind it, a broker that it publishes to, a user of each role,
/// limits that a small storm reaches, and a browser. Names and values of the plant are hostile.</summary>
public sealed class PlantFixture : IAsyncLifetime, IDisposable
{
    public const string NamespaceUri = "urn:interop:machine:plant";

    /// <summary>An upstream's name is the operator's own; markup all the same.</summary>
    public const string UpstreamName = "<b>Press</b>";

    /// <summary>Connections that one address may make in a second.</summary>
    public const int ConnectionsPerSecond = 5;

    public static readonly string[] Roles = ["Observer", "Operator", "Engineer", "SecurityAdmin"];

    private RunningBrowser? browser;

    internal TemporaryFolder Folder { get; } = new();

    /// <summary>Of an OPC UA client that the gateway trusts.</summary>
    internal TestCertificate Client { get; private set; } = null!;

    internal PlantServer Plant { get; private set; } = null!;

    internal Mosquitto Broker { get; private set; } = null!;

    internal GatewayProcess Gateway { get; private set; } = null!;

    internal string Origin => $"http://localhost:{Gateway.HttpPort}";

    public async Task InitializeAsync()
    {
        if (PeerRequirement.ReasonOf(PeerProgram.ConsoleOnPlant) is not null)
            return;
        PeerRequirement.Demand(PeerProgram.ConsoleOnPlant);
        Plant = await PlantServer.StartAsync(Folder, "plant", NamespaceUri, changeMs: 250, hostile: true);
        Broker = await Mosquitto.StartAsync(Folder);
        Client = TestCertificate.ForApplication(Folder.Path, "urn:interop:named");
        Trust("client", Client.Der);
        Trust("plant", PlantCertificate());
        Gateway = await GatewayProcess.StartAsync(
            Folder, [.. Users(), .. Upstream(), .. Publishing(), .. Limits()]);
        browser = await RunningBrowser.StartAsync();
    }

    public async Task DisposeAsync()
    {
        if (browser is not null)
            await browser.DisposeAsync();
        if (Gateway is not null)
            await Gateway.DisposeAsync();
        if (Broker is not null)
            await Broker.DisposeAsync();
        if (Plant is not null)
            await Plant.DisposeAsync();
    }

    public void Dispose() => Folder.Dispose();

    /// <summary>A node of the plant as the API names it.</summary>
    internal static string NodeOf(string id) => $"nsu={NamespaceUri};{id}";

    internal static string Path(string page, string node) => $"{page}?node={Uri.EscapeDataString(node)}";

    /// <summary>A page of the console for a user, named as his role, who has logged in there.</summary>
    internal async Task<IPage> OpenAsync(string user, string path, BrowserNewContextOptions? options = null)
    {
        IPage page = await browser!.OpenAsync(options ?? new());
        await page.GotoAsync(Origin + path);
        await ConsoleFixture.LogInAsync(page, user);
        return page;
    }

    /// <summary>A script's own client, without the console.</summary>
    internal HttpClient Api(string user) => ConsoleFixture.ApiOf(Origin, user);

    internal async Task<JsonElement> GetAsync(string path)
    {
        using HttpClient http = Api("SecurityAdmin");
        using HttpResponseMessage answer = await http.GetAsync(new Uri("/api/v1" + path, UriKind.Relative));
        string text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.StatusCode == HttpStatusCode.OK, text);
        return JsonDocument.Parse(text).RootElement;
    }

    /// <summary>The name of each says its role.</summary>
    private static IEnumerable<string> Users() => Roles.SelectMany(static (role, i) => new[]
    {
        $"--Users:{i}:Name={role}", $"--Users:{i}:Password=horse", $"--Users:{i}:Roles:0={role}",
    });

    private string[] Upstream() =>
    [
        $"--Upstreams:0:Name={UpstreamName}", $"--Upstreams:0:EndpointUrl={Plant.EndpointUrl}",
        "--Upstreams:0:PublishingIntervalMs=100",
    ];

    private string[] Publishing()
    {
        const string Connection = "--PubSub:Connections:0:";
        const string Group = Connection + "WriterGroups:0:";
        return
        [
            "--PubSub:PublisherId=plant", "--PubSub:DataSets:0:Name=tags",
            $"--PubSub:DataSets:0:Nodes:0={NodeOf("i=1000")}",
            Connection + "Name=broker", $"{Connection}Address=mqtt://127.0.0.1:{Broker.Port}",
            Connection + "StoreMaxBytes=67108864", Group + "Name=g", Group + "WriterGroupId=1",
            Group + "PublishingIntervalMs=100", Group + "DataSetWriters:0:Name=w",
            Group + "DataSetWriters:0:DataSetWriterId=1", Group + "DataSetWriters:0:DataSet=tags",
        ];
    }

    private static string[] Limits() =>
    [
        $"--Limits:MaxConnectionsPerSecondPerAddress={ConnectionsPerSecond}", "--Limits:RefusalHoldTime=00:00:00.100",
        "--Limits:LingerTime=00:00:00.100", "--Limits:MaxFailedLogins=100",
    ];

    private void Trust(string name, byte[] certificate) => File.WriteAllBytes(
        System.IO.Path.Combine(Folder.Sub("gateway", "pki", "trusted", "certs"), $"{name}.der"), certificate);

    private byte[] PlantCertificate()
    {
        string file = System.IO.Path.Combine(Folder.Sub("plant-pki"), "own", "certs", "certificate.pem");
        using X509Certificate2 certificate = X509Certificate2.CreateFromPem(File.ReadAllText(file));
        return certificate.RawData;
    }
}
