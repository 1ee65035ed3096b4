using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Mirror;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>An upstream as weak as small controllers are: one session, one continuation point, ten items a
/// subscription, twenty milliseconds a request. Many clients watch it through the gateway all the same.</summary>
[Collection(nameof(AloneCollection))]
public sealed class WeakUpstreamTests : IDisposable
{
    private const string Uri = "urn:interop:machine:weak";
    private const int Items = 100;

    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [PeerFact]
    public async Task Watch_ByTwoClients_EachGetsEveryValueOfEveryItem()
    {
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using PlantServer weak = await PlantServer.StartAsync(
            folder, "weak", Uri, changeMs: 1000, delayMs: 20, capabilities: new
            {
                maxSessions = 1,
                maxBrowseContinuationPoints = 1,
                maxMonitoredItemsPerSubscription = 10,
            });
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(folder,
            "--demo", "--Simulator:Enabled=false", "--Upstreams:0:Name=Weak",
            $"--Upstreams:0:EndpointUrl={weak.EndpointUrl}", "--Upstreams:0:SecurityPolicy=None",
            "--Upstreams:0:SecurityMode=None", "--Upstreams:0:PublishingIntervalMs=200");
        await using PeerProcess there = PeerProcess.Start("await.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl, new { uris = new[] { Uri }, id = $"i={1000 + Items - 1}" }));
        await there.ResultAsync();
        await using PeerProcess first = Watch(gateway, client);
        await using PeerProcess second = Watch(gateway, client);
        await first.WaitForAsync("flowing");
        await second.WaitForAsync("flowing");
        JsonElement access = await PeerProcess.RunAsync("access.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl, new { reads = new[] { new { uri = Uri, id = "s=Int32" } } }));
        await first.SendLineAsync("stop");
        await second.SendLineAsync("stop");

        foreach (PeerProcess one in new[] { first, second })
        {
            WatchResult result = WatchResult.From(await one.ResultAsync());
            Assert.Equal(Items, result.Items);
            Assert.True(result.Silent == 0 && result.Losses == 0 && result.Bad == 0, result.Text);
        }

        Assert.Equal("Good", access.GetProperty("values")[0].GetProperty("status").GetString());
    }

    /// <summary>A controller that takes fewer items than are watched: the others are read, and their values come
    /// too.</summary>
    [PeerFact]
    public async Task Watch_FewerItemsThanNodes_TheRestIsReadInstead()
    {
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using PlantServer weak = await PlantServer.StartAsync(
            folder, "weak", Uri, changeMs: 1000, capabilities: new { maxMonitoredItems = 60 });
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(folder,
            "--demo", "--Simulator:Enabled=false", "--Upstreams:0:Name=Weak",
            $"--Upstreams:0:EndpointUrl={weak.EndpointUrl}", "--Upstreams:0:SecurityPolicy=None",
            "--Upstreams:0:SecurityMode=None", "--Upstreams:0:PublishingIntervalMs=200",
            // The item of its events would be one of the sixty.
            "--Upstreams:0:Events=false");
        await using PeerProcess there = PeerProcess.Start("await.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl, new { uris = new[] { Uri }, id = $"i={1000 + Items - 1}" }));
        await there.ResultAsync();
        await using PeerProcess watching = Watch(gateway, client);
        await watching.WaitForAsync("enough");
        JsonElement counts = await CountsAsync(gateway);
        await watching.SendLineAsync("stop");

        WatchResult result = WatchResult.From(await watching.ResultAsync());
        Assert.Equal(Items, result.Items);
        Assert.True(result.Silent == 0 && result.Bad == 0, result.Text);
        Assert.Equal(
            (60, Items - 60),
            (counts.GetProperty("monitoredItems").GetInt32(), counts.GetProperty("cyclicItems").GetInt32()));
    }

    /// <summary>However slow it answers, all of it is shown.</summary>
    [PeerFact]
    public async Task Compare_TwentyMillisecondsARequest_EqualButForTheExceptions()
    {
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using PlantServer weak = await PlantServer.StartAsync(
            folder, "weak", Uri, changeMs: int.MaxValue, structures: true, delayMs: 20,
            capabilities: new { maxSessions = 2 });
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(folder,
            "--demo", "--Simulator:Enabled=false", "--Upstreams:0:Name=Weak",
            $"--Upstreams:0:EndpointUrl={weak.EndpointUrl}", "--Upstreams:0:SecurityPolicy=None",
            "--Upstreams:0:SecurityMode=None");
        await using PeerProcess there = PeerProcess.Start("await.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl, new { uris = new[] { Uri }, id = $"i={1000 + Items - 1}" }));
        await there.ResultAsync();

        JsonElement result = await PeerProcess.RunAsync("compare.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl, new { upstreamUrl = weak.EndpointUrl }));

        Assert.True(result.GetProperty("compared").GetInt32() > Items, result.ToString());
        MirrorExceptions.AssertOnly(
            [.. result.GetProperty("lines").EnumerateArray().Select(line => line.GetString()!)],
            // The gateway has the argument lists since the browse: nobody samples them.
            also: @"^attribute MinimumSamplingInterval: \S+-(In|Out)putArguments: -1 became 0$");
    }

    private static async Task<JsonElement> CountsAsync(GatewayProcess gateway)
    {
        using HttpClient http = new();
        string answer = await http.GetStringAsync($"http://127.0.0.1:{gateway.HttpPort}/api/v1/upstreams");
        using JsonDocument document = JsonDocument.Parse(answer);
        return document.RootElement.GetProperty("upstreams")[0].GetProperty("counts").Clone();
    }

    private PeerProcess Watch(GatewayProcess gateway, TestCertificate client) => PeerProcess.Start(
        "watch.js", PeerArguments.Create(folder, client, gateway.EndpointUrl, new
        {
            namespaceUri = Uri,
            items = Items,
            enough = 4,
            publishingIntervalMs = 100,
        }));
}
