using System.Net.Http.Json;
using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Gateway.Testing;

namespace Gateway.Interop.Faults;

/// <summary>A controller that hangs (SIGSTOP of node-opcua's server): its clients get an answer, and it has one session
/// of the gateway afterwards, by its own count.</summary>
[Collection(nameof(AloneCollection))]
public sealed class FrozenUpstreamTests : IDisposable
{
    private const string Machine = "urn:interop:machine:frozen";
    private const string CurrentSessionCount = "i=2277";

    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [PeerFact]
    public async Task Frozen_ReadsGetAnAnswerAndOneSessionIsLeftAfterwards()
    {
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using PlantServer server = await PlantServer.StartAsync(folder, "frozen", Machine);
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(folder,
            "--demo", "--Limits:UpstreamRequestTimeout=00:00:03", "--Upstreams:0:Name=Frozen",
            $"--Upstreams:0:EndpointUrl={server.EndpointUrl}", "--Upstreams:0:SecurityPolicy=None",
            "--Upstreams:0:SecurityMode=None");
        using HttpClient http = new() { BaseAddress = new Uri($"http://127.0.0.1:{gateway.HttpPort}/api/v1/") };
        string node = $"nsu={Machine};i=1000";
        await UntilAsync(http, node, "Good");

        server.Freeze();
        Assert.NotEqual("Good", await StatusAsync(http, node));
        Assert.Equal("Good", await StatusAsync(http, "ns=2;i=1000"));
        server.Thaw();
        await UntilAsync(http, node, "Good");

        JsonElement read = await PeerProcess.RunAsync("access.js", PeerArguments.Create(
            folder, client, server.EndpointUrl, new { reads = new[] { new { uri = "", id = CurrentSessionCount } } }));
        // That of the gateway, and the one that asks.
        Assert.Equal(2, read.GetProperty("values")[0].GetProperty("value").GetInt32());
    }

    private static async Task UntilAsync(HttpClient http, string node, string status)
    {
        using CancellationTokenSource patience = new(Patience.Limit);
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(50));
        while (await StatusAsync(http, node) != status)
            await look.WaitForNextTickAsync(patience.Token);
    }

    private static async Task<string?> StatusAsync(HttpClient http, string node)
    {
        JsonElement answer = await http.GetFromJsonAsync<JsonElement>($"values?node={node}");
        return answer.GetProperty("values")[0].GetProperty("status").GetString();
    }
}
