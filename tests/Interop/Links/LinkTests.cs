using System.Globalization;
using System.Net.Http.Json;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Gateway.Testing;

namespace Gateway.Interop.Links;

/// <summary>A link to node-opcua's server that drops again and again, while clients of the gateway count. With
/// GATEWAY_DROPS=20 it drops 20 times, for 5 s each.</summary>
[Collection(nameof(AloneCollection))]
public sealed class LinkTests : IDisposable
{
    private const string Uri = "urn:interop:machine:link";
    private const int Items = 20;

    private static readonly int Drops =
        int.TryParse(Environment.GetEnvironmentVariable("GATEWAY_DROPS"), CultureInfo.InvariantCulture, out int drops)
            ? drops
            : 0;

    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [PeerFact]
    public async Task Watch_LinkDropsAgainAndAgain_CountersWithoutAGap()
    {
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using PlantServer server = await PlantServer.StartAsync(folder, "link", Uri, changeMs: 250);
        await using CuttableLink link = new(server.Port);
        Trust();
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(folder,
            "--demo", "--Simulator:Enabled=false",
            "--Upstreams:0:Name=Link", $"--Upstreams:0:EndpointUrl=opc.tcp://127.0.0.1:{link.Port}",
            "--Upstreams:0:User=operator", "--Upstreams:0:Password=secret",
            "--Upstreams:0:PublishingIntervalMs=100", "--Upstreams:0:BridgeSeconds=30");
        await using (PeerProcess wait = PeerProcess.Start("await.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl, new { uris = new[] { Uri }, id = "i=1000" })))
            await wait.ResultAsync().WaitAsync(Patience.Limit);
        (int times, TimeSpan away) = Drops > 0 ? (Drops, TimeSpan.FromSeconds(5)) : (3, TimeSpan.FromSeconds(2));
        await using PeerProcess watcher = PeerProcess.Start("watch.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl,
            new
            {
                namespaceUri = Uri,
                items = Items,
                publishingIntervalMs = 100,
                queueSize = 1000,
            }));
        await watcher.WaitForAsync("flowing");

        using HttpClient http = new() { BaseAddress = new($"http://127.0.0.1:{gateway.HttpPort}/api/v1/") };
        using PeriodicTimer outage = new(away);
        for (int i = 1; i <= times; i++)
        {
            link.Cut();
            await outage.WaitForNextTickAsync();
            link.Mend();
            await Eventually.HoldsAsync(async () => (await CountsAsync(http)).GetProperty("resumed").GetInt32() >= i);
            await UntilCountAsync(http, 5);
        }
        JsonElement counts = await CountsAsync(http);
        await watcher.SendLineAsync("stop");
        WatchResult result = WatchResult.From(await watcher.ResultAsync());

        string text = $"{result.Text}\n{counts}\n{gateway.Output}";
        Assert.True(result.Silent + result.Lost + result.Repeated + result.Backwards == 0, text);
        Assert.True(result.Bad == 0 && result.Overflow == 0, text);
        Assert.Equal(Items, result.Items);
        Assert.True(counts.GetProperty("resumed").GetInt32() == times, text);
        Assert.True(counts.GetProperty("gaps").GetInt32() == 0, text);
        Assert.Equal(1, counts.GetProperty("connects").GetInt32());
        Console.WriteLine($"GATEWAY_DROPS {times}: {result.Text} {counts}");
    }

    private static async Task<JsonElement> CountsAsync(HttpClient http)
    {
        JsonElement all = await http.GetFromJsonAsync<JsonElement>("upstreams");
        return all.GetProperty("upstreams")[0].GetProperty("counts").Clone();
    }

    /// <summary>Until the counters have moved so far.</summary>
    private static async Task UntilCountAsync(HttpClient http, int further)
    {
        double begin = await CountAsync(http);
        await Eventually.HoldsAsync(async () => await CountAsync(http) >= begin + further);
    }

    private static async Task<double> CountAsync(HttpClient http)
    {
        JsonElement read = await http.GetFromJsonAsync<JsonElement>($"values?node=nsu={Uri};i=1000");
        return read.GetProperty("values")[0].GetProperty("value").GetDouble();
    }

    private void Trust()
    {
        string pem = File.ReadAllText(Path.Combine(folder.Sub("link-pki"), "own", "certs", "certificate.pem"));
        using X509Certificate2 certificate = X509Certificate2.CreateFromPem(pem);
        File.WriteAllBytes(
            Path.Combine(folder.Sub("gateway", "pki", "trusted", "certs"), "link.der"), certificate.RawData);
    }
}
