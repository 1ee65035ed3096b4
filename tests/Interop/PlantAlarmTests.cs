using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>Alarms of node-opcua's server as an upstream, restarted in mid-alarm, as two of node-opcua's clients and
/// the REST API see them. Source: Part 9 §4.5, §5.5, §5.7.</summary>
public sealed class PlantAlarmTests : IDisposable
{
    private const string NamespaceUri = "urn:interop:boiler";

    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [PeerFact]
    public async Task Alarms_UpstreamRestartedInMidAlarm_AreKeptAnsweredAndReconciled()
    {
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using PlantServer plant = await PlantServer.StartAsync(folder, "boiler", NamespaceUri, levels: [0, 0, 0]);
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(folder,
            "--demo", "--Simulator:Enabled=false",
            "--Upstreams:0:Name=Boilers", $"--Upstreams:0:EndpointUrl={plant.EndpointUrl}",
            "--Upstreams:0:SecurityPolicy=None", "--Upstreams:0:PublishingIntervalMs=100",
            "--Upstreams:0:BridgeSeconds=1");
        await using (PeerProcess wait = PeerProcess.Start("await.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl, new { uris = new[] { NamespaceUri }, id = "s=Level0" })))
            await wait.ResultAsync();

        await using PeerProcess clients = PeerProcess.Start("plant-alarms.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl,
            new { uri = NamespaceUri, upstream = "Boilers" }));
        await clients.WaitForAsync("raised");
        await plant.KillAsync();
        await clients.WaitForAsync("away");
        await plant.StartAsync([90.0, 0, 90]);
        JsonElement result = await clients.ResultAsync();

        string[] Names(string name) =>
            [.. result.GetProperty(name).EnumerateArray().Select(one => one.GetString()!)];
        Assert.All(
            ["source", "times", "sameIds", "comment", "gone", "good"],
            name => Assert.True(result.GetProperty(name).GetBoolean(), $"{name}: {result.GetRawText()}"));
        Assert.Equal(["Alarm0", "Alarm1", "Alarm2"], Names("found"));
        // The loser's code is the controller's own: node-opcua knows the last EventId alone.
        Assert.Equal(["BadEventIdUnknown", "Good"], Names("acknowledge"));
        Assert.Equal("BadNoCommunication", result.GetProperty("away").GetString());
        Assert.Equal("BadEventIdUnknown", result.GetProperty("unknown").GetString());
        Assert.Equal(["Alarm0", "Alarm2"], Names("after"));

        using HttpClient http = new() { BaseAddress = new Uri($"http://127.0.0.1:{gateway.HttpPort}") };
        JsonElement alarms = JsonDocument.Parse(await http.GetStringAsync("/api/v1/alarms")).RootElement;
        // This server names no condition.
        Assert.Equal(2, alarms.GetProperty("active").EnumerateArray().Count(one =>
            one.TryGetProperty("upstream", out JsonElement upstream) && upstream.GetString() == "Boilers"));
    }
}
