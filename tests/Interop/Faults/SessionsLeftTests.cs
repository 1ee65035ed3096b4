using System.Net.Http.Json;
using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Links;
using Gateway.Interop.Scripts;
using Gateway.Testing;

namespace Gateway.Interop.Faults;

/// <summary>A link to node-opcua's server that goes wrong in each way: by the server's own count it has one session of
/// the gateway afterwards.</summary>
[Collection(nameof(AloneCollection))]
public sealed class SessionsLeftTests : IDisposable
{
    private const string Machine = "urn:interop:machine:left";
    private const string CurrentSessionCount = "i=2277";

    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [PeerFact]
    public async Task LinkDropsIsHalfOpenAndSlow_OneSessionIsLeftAfterwards()
    {
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using PlantServer server = await PlantServer.StartAsync(folder, "left", Machine);
        await using CuttableLink link = new(server.Port);
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(folder,
            "--demo", "--Limits:UpstreamRequestTimeout=00:00:03", "--Upstreams:0:Name=Left",
            $"--Upstreams:0:EndpointUrl=opc.tcp://127.0.0.1:{link.Port}", "--Upstreams:0:SecurityPolicy=None",
            "--Upstreams:0:SecurityMode=None");
        using HttpClient http = new() { BaseAddress = new Uri($"http://127.0.0.1:{gateway.HttpPort}/api/v1/") };
        await UntilAsync(gateway, http, isGood: true);

        Action[] faults = [link.Cut, link.Swallow, link.Slow];
        foreach (Action fault in faults)
        {
            fault();
            await UntilAsync(gateway, http, isGood: false);
            // Whatever was under way is forgotten by a device on the way, too.
            link.Cut();
            link.Mend();
            await UntilAsync(gateway, http, isGood: true);
        }

        JsonElement read = await PeerProcess.RunAsync("access.js", PeerArguments.Create(
            folder, client, server.EndpointUrl, new { reads = new[] { new { uri = "", id = CurrentSessionCount } } }));
        // That of the gateway, and the one that asks.
        Assert.Equal(2, read.GetProperty("values")[0].GetProperty("value").GetInt32());
    }

    private static async Task UntilAsync(GatewayProcess gateway, HttpClient http, bool isGood)
    {
        long since = TimeProvider.System.GetTimestamp();
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(50));
        while ((await StatusAsync(http) == "Good") != isGood)
        {
            Assert.True(TimeProvider.System.GetElapsedTime(since) < Patience.Limit, gateway.Output);
            await look.WaitForNextTickAsync();
        }
    }

    private static async Task<string?> StatusAsync(HttpClient http)
    {
        JsonElement answer = await http.GetFromJsonAsync<JsonElement>($"values?node=nsu={Machine};i=1000");
        return answer.GetProperty("values")[0].GetProperty("status").GetString();
    }
}
