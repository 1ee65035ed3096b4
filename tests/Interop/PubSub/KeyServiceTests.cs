using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Gateway.Loadtest.Machine;

namespace Gateway.Interop.PubSub;

/// <summary>Two gateways whose keys come from a Security Key Service of another stack (keys.js).</summary>
public sealed class KeyServiceTests : IAsyncLifetime, IDisposable
{
    private const string Node = "nsu=urn:gateway:simulator;s=Int32";
    private const int LifetimeMs = 2_000;

    private readonly TemporaryFolder folder = new();
    private readonly TemporaryFolder publisherFolder = new();
    private readonly TemporaryFolder readerFolder = new();
    private readonly HttpClient http = new();
    private readonly long start = TimeProvider.System.GetUtcNow().ToUnixTimeMilliseconds();
    private readonly List<PeerProcess> services = [];
    private readonly List<GatewayProcess> gateways = [];

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        foreach (GatewayProcess gateway in gateways)
            await gateway.DisposeAsync();
        foreach (PeerProcess service in services)
            await service.DisposeAsync();
    }

    public void Dispose()
    {
        http.Dispose();
        folder.Dispose();
        publisherFolder.Dispose();
        readerFolder.Dispose();
    }

    /// <summary>The first service is not there, the second offers no encryption: neither is a reason to send less
    /// protected, or not at all. The keys change meanwhile.</summary>
    [PeerFact]
    public async Task Gateways_KeysOfTheThirdService_SameValuesOverChangesOfKeys()
    {
        int none = FreePort.Next();
        int unsafePort = await StartServiceAsync("None", "Sign");
        int port = await StartServiceAsync("SignAndEncrypt");
        PeerProcess service = services[^1];
        await StartGatewaysAsync(none, unsafePort, port);

        await WriteAsync("1001");
        await ReadUntilAsync("1001");
        // The second change of keys from here on.
        uint first = (await service.WaitForAsync("call")).GetProperty("token").GetUInt32();
        uint token;
        do
            token = (await service.WaitForAsync("call")).GetProperty("token").GetUInt32();
        while (token < first + 2);
        await WriteAsync("1002");
        await ReadUntilAsync("1002");

        string metrics = await http.GetStringAsync(new Uri($"http://127.0.0.1:{gateways[1].HttpPort}/metrics"));
        Assert.True(ValueOf(metrics, "gateway_pubsub_key_fetches_total{", "plant") > 1);
        Assert.True(ValueOf(metrics, "gateway_pubsub_key_failures_total{", "Unreachable") > 0);
        Assert.True(ValueOf(metrics, "gateway_pubsub_key_failures_total{", "Untrusted") > 0);
        Assert.Equal(0, ValueOf(metrics, "gateway_pubsub_key_failures_total{", "WrongAnswer"));
        Assert.Equal(0, ValueOf(metrics, "gateway_pubsub_lost_messages_total{", "g") - Lost);
    }

    /// <summary>A group that the service does not have: nothing leaves, neither sealed nor in clear.</summary>
    [PeerFact]
    public async Task UnknownGroup_NothingIsPublished()
    {
        int port = await StartServiceAsync("SignAndEncrypt");
        GatewayProcess publisher = await StartPublisherAsync(FreePort.Next(), "nobody", port);

        JsonElement group = default;
        await Eventually.HoldsAsync(async () =>
        {
            group = await GroupAsync(publisher);
            return group.TryGetProperty("detail", out _) && group.GetProperty("lost").GetInt64() > 0;
        });

        Assert.Equal(0, group.GetProperty("messages").GetInt64());
        await Eventually.HoldsAsync(async () => ValueOf(
            await http.GetStringAsync(new Uri($"http://127.0.0.1:{publisher.HttpPort}/metrics")),
            "gateway_pubsub_key_failures_total{", "NotFound") > 0);
    }

    /// <summary>Before the first keys changes are lost, and counted.</summary>
    private double Lost { get; set; }

    private async Task<int> StartServiceAsync(params string[] modes)
    {
        int port = FreePort.Next();
        PeerProcess service = PeerProcess.Start("keys.js", new
        {
            pki = PeerPki.In(folder, $"pki{port}"),
            port,
            lifetimeMs = LifetimeMs,
            start,
            modes,
        });
        services.Add(service);
        await service.WaitForAsync("ready");
        string pem = await File.ReadAllTextAsync(
            Path.Combine(folder.Sub($"pki{port}"), "own", "certs", "certificate.pem"));
        using X509Certificate2 certificate = X509Certificate2.CreateFromPem(pem);
        foreach (TemporaryFolder gateway in (TemporaryFolder[])[publisherFolder, readerFolder])
            await File.WriteAllBytesAsync(
                Path.Combine(gateway.Sub("gateway", "pki", "trusted", "certs"), $"{port}.der"), certificate.RawData);
        return port;
    }

    private async Task StartGatewaysAsync(params int[] ports)
    {
        const string Reader = "--PubSub:Connections:0:ReaderGroups:0:";
        int data = FreePort.Next();
        gateways.Add(await GatewayProcess.StartAsync(readerFolder,
        [
            "--demo", "--Simulator:Enabled=false", "--PubSub:PublisherId=reader", .. Services(ports),
            "--PubSub:Connections:0:Name=c", $"--PubSub:Connections:0:Address=opc.udp://127.0.0.1:{data}",
            Reader + "Name=in", Reader + "Encoding=uadp", Reader + "SecurityMode=SignAndEncrypt",
            Reader + "SecurityGroupId=plant", Reader + "DataSetReaders:0:Name=all",
            Reader + "DataSetReaders:0:PublisherId=plant", Reader + "DataSetReaders:0:DataSetWriterId=1",
        ]));
        GatewayProcess publisher = await StartPublisherAsync(data, "plant", ports);
        await Eventually.HoldsAsync(async () => (await GroupAsync(publisher)).GetProperty("messages").GetInt64() > 0);
        Lost = (await GroupAsync(publisher)).GetProperty("lost").GetInt64();
    }

    private async Task<GatewayProcess> StartPublisherAsync(int data, string securityGroup, params int[] ports)
    {
        const string Group = "--PubSub:Connections:0:WriterGroups:0:";
        GatewayProcess publisher = await GatewayProcess.StartAsync(publisherFolder,
        [
            "--demo", "--Simulator:ChangesPerSecond=0", "--PubSub:PublisherId=plant", .. Services(ports),
            "--PubSub:DataSets:0:Name=all", $"--PubSub:DataSets:0:Nodes:0={Node}", "--PubSub:Connections:0:Name=c",
            $"--PubSub:Connections:0:Address=opc.udp://127.0.0.1:{data}", Group + "Name=g", Group + "WriterGroupId=1",
            Group + "PublishingIntervalMs=100", Group + "KeepAliveMs=500", Group + "Encoding=uadp",
            Group + "SecurityMode=SignAndEncrypt", Group + $"SecurityGroupId={securityGroup}",
            Group + "DataSetWriters:0:Name=w", Group + "DataSetWriters:0:DataSetWriterId=1",
            Group + "DataSetWriters:0:DataSet=all",
        ]);
        gateways.Add(publisher);
        return publisher;
    }

    private static IEnumerable<string> Services(int[] ports) => ports.Select(
        static (port, i) => $"--PubSub:KeyServices:{i}:EndpointUrl=opc.tcp://127.0.0.1:{port}")
        .Append($"--PubSub:KeyServices:{ports.Length - 1}:User=keys")
        .Append($"--PubSub:KeyServices:{ports.Length - 1}:Password=secret");

    private static double ValueOf(string metrics, string name, string label) => metrics.Split('\n')
        .Where(line => line.StartsWith(name, StringComparison.Ordinal) &&
            line.Contains($"\"{label}\"", StringComparison.Ordinal))
        .Sum(static line => double.Parse(line[(line.LastIndexOf(' ') + 1)..], CultureInfo.InvariantCulture));

    private async Task<JsonElement> GroupAsync(GatewayProcess gateway)
    {
        using JsonDocument report = JsonDocument.Parse(await http.GetStringAsync(
            new Uri($"http://127.0.0.1:{gateway.HttpPort}/api/v1/pubsub")));
        return report.RootElement.GetProperty("connections")[0].GetProperty("groups")[0].Clone();
    }

    private Task ReadUntilAsync(string value) => Eventually.HoldsAsync(async () =>
    {
        string answer = await http.GetStringAsync(
            new Uri($"http://127.0.0.1:{gateways[0].HttpPort}/api/v1/values?node={Uri.EscapeDataString(Node)}"));
        return answer.Contains($"\"value\":{value}", StringComparison.Ordinal);
    });

    private async Task WriteAsync(string value)
    {
        using StringContent body = new(
            $$"""{"values":[{"node":"{{Node}}","value":{{value}}}]}""", Encoding.UTF8, "application/json");
        using HttpResponseMessage answer = await http.PutAsync(
            new Uri($"http://127.0.0.1:{gateways[1].HttpPort}/api/v1/values"), body);
        Assert.True(answer.IsSuccessStatusCode, await answer.Content.ReadAsStringAsync());
    }
}
