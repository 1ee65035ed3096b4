using System.Net.Http.Json;
using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Gateway.Testing;

namespace Gateway.Interop.Redundancy;

/// <summary>Two servers of node-opcua as one upstream; one of them is killed.</summary>
[Collection(nameof(AloneCollection))]
public sealed class FailoverTests : IDisposable
{
    private const string Machine = "urn:interop:machine:redundant";
    private const string CurrentSessionCount = "i=2277";
    private const int Items = 20;

    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [PeerFact]
    public async Task OneIsKilled_TheOtherTakesOverAndBackAgain_NoSessionIsLeft()
    {
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using PlantServer first = await PlantServer.StartAsync(folder, "first", Machine);
        await using PlantServer second = await PlantServer.StartAsync(folder, "second", Machine);
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(folder,
            "--demo", "--Simulator:Enabled=false", "--Upstreams:0:Name=Pair",
            $"--Upstreams:0:EndpointUrl={first.EndpointUrl}", $"--Upstreams:0:BackupUrls:0={second.EndpointUrl}",
            "--Upstreams:0:SecurityPolicy=None", "--Upstreams:0:SecurityMode=None",
            "--Upstreams:0:PublishingIntervalMs=100");
        await UntilAsync(gateway, ["active", "unused"]);

        await first.KillAsync();
        await UntilAsync(gateway, ["away", "active"]);
        await UntilGoodAsync(gateway);
        await first.StartAsync();
        await second.KillAsync();
        JsonElement upstream = await UntilAsync(gateway, ["active", "away"]);
        await UntilGoodAsync(gateway);

        Assert.Equal(2, upstream.GetProperty("redundancy").GetProperty("failovers").GetInt32());
        JsonElement read = await PeerProcess.RunAsync("access.js", PeerArguments.Create(
            folder, client, first.EndpointUrl, new { reads = new[] { new { uri = "", id = CurrentSessionCount } } }));
        // That of the gateway, and the one that asks.
        Assert.Equal(2, read.GetProperty("values")[0].GetProperty("value").GetInt32());
    }

    /// <summary>The counters of both are the time, so a client sees whether one is missing or comes twice. Each has an
    /// alarm of its own, so that those of the one that took over can be told apart.</summary>
    [PeerFact]
    public async Task Hot_OneIsKilled_TheOtherGoesOnWithoutAGap()
    {
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using PlantServer first = await PlantServer.StartAsync(
            folder, "first", Machine, changeMs: 500, clock: true, levels: [90, 0]);
        await using PlantServer second = await PlantServer.StartAsync(
            folder, "second", Machine, changeMs: 500, clock: true, levels: [0, 90]);
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(folder,
            "--demo", "--Simulator:Enabled=false", "--Upstreams:0:Name=Pair", "--Upstreams:0:Standby=hot",
            $"--Upstreams:0:EndpointUrl={first.EndpointUrl}", $"--Upstreams:0:BackupUrls:0={second.EndpointUrl}",
            "--Upstreams:0:SecurityPolicy=None", "--Upstreams:0:SecurityMode=None",
            "--Upstreams:0:PublishingIntervalMs=100");
        await UntilAsync(gateway, ["active", "standby"]);
        await using PeerProcess watcher = PeerProcess.Start("watch.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl, new
            {
                namespaceUri = Machine,
                items = Items,
                publishingIntervalMs = 100,
                queueSize = 1000,
            }));
        await watcher.WaitForAsync("flowing");
        // On a busy machine the second may have taken over already.
        int active = 0;
        await EventuallyAsync(async http => (active = await ActiveBesideStandbyAsync(http)) >= 0, gateway);
        // So long its queues are filled beside the first one.
        await UntilCountAsync(gateway, 5);
        await UntilAlarmAsync(gateway, active);

        await (active == 0 ? first : second).KillAsync();
        JsonElement upstream = await UntilAsync(gateway, active == 0 ? ["away", "active"] : ["active", "away"]);
        await UntilAlarmAsync(gateway, 1 - active);
        await UntilCountAsync(gateway, 5);
        await watcher.SendLineAsync("stop");
        JsonElement result = await watcher.ResultAsync();

        string text = $"{result}\n{upstream}\n{gateway.Output}";
        foreach (string loss in new[] { "silent", "lost", "repeated", "backwards", "bad", "overflow" })
            Assert.True(result.GetProperty(loss).GetInt32() == 0, $"{loss}: {text}");
        Assert.Equal(0, upstream.GetProperty("counts").GetProperty("gaps").GetInt32());
    }

    /// <summary>The number of the server in use, as soon as the other one has all items; −1 before.</summary>
    private static async Task<int> ActiveBesideStandbyAsync(HttpClient http)
    {
        JsonElement answer = await http.GetFromJsonAsync<JsonElement>("upstreams");
        List<JsonElement> servers = [.. answer.GetProperty("upstreams")[0].GetProperty("redundancy")
            .GetProperty("servers").EnumerateArray()];
        bool isReady = servers.Exists(static one =>
            one.TryGetProperty("standbyItems", out JsonElement items) && items.GetInt32() == Items);
        return isReady ? servers.FindIndex(static one => one.GetProperty("state").GetString() == "active") : -1;
    }

    /// <summary>Until that one is active, and no other of the machine.</summary>
    private static Task UntilAlarmAsync(GatewayProcess gateway, int number) => EventuallyAsync(async http =>
    {
        JsonElement answer = await http.GetFromJsonAsync<JsonElement>("alarms");
        return answer.GetProperty("active").EnumerateArray()
            .Where(static one => one.TryGetProperty("upstream", out JsonElement name) && name.GetString() == "Pair")
            .Select(static one => one.GetProperty("alarm").GetString())
            .SequenceEqual([$"nsu={Machine};s=Alarm{number}"]);
    }, gateway);

    /// <summary>Until the counters have moved so far.</summary>
    private static async Task UntilCountAsync(GatewayProcess gateway, int further)
    {
        double? begin = null;
        await EventuallyAsync(async http =>
        {
            JsonElement answer = await http.GetFromJsonAsync<JsonElement>($"values?node=nsu={Machine};i=1000");
            JsonElement value = answer.GetProperty("values")[0].GetProperty("value");
            if (value.ValueKind != JsonValueKind.Number)
                return false;
            begin ??= value.GetDouble();
            return value.GetDouble() >= begin + further;
        }, gateway);
    }

    /// <summary>Until the servers are in these states and the upstream delivers.</summary>
    private static async Task<JsonElement> UntilAsync(GatewayProcess gateway, string[] states)
    {
        JsonElement upstream = default;
        await EventuallyAsync(async http =>
        {
            JsonElement answer = await http.GetFromJsonAsync<JsonElement>("upstreams");
            upstream = answer.GetProperty("upstreams")[0].Clone();
            return upstream.GetProperty("state").GetString() == "online" && states.SequenceEqual(
                upstream.GetProperty("redundancy").GetProperty("servers").EnumerateArray()
                    .Select(static one => one.GetProperty("state").GetString()));
        }, gateway);
        return upstream;
    }

    private static Task UntilGoodAsync(GatewayProcess gateway) => EventuallyAsync(async http =>
    {
        JsonElement answer = await http.GetFromJsonAsync<JsonElement>($"values?node=nsu={Machine};i=1000");
        return answer.GetProperty("values")[0].GetProperty("status").GetString() == "Good";
    }, gateway);

    private static async Task EventuallyAsync(Func<HttpClient, Task<bool>> holds, GatewayProcess gateway)
    {
        using HttpClient http = new() { BaseAddress = new Uri($"http://127.0.0.1:{gateway.HttpPort}/api/v1/") };
        using CancellationTokenSource patience = new(Patience.Limit);
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(50));
        while (!await holds(http))
            await look.WaitForNextTickAsync(patience.Token);
    }
}
