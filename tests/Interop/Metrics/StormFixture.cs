using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Interop.Admission;
using Gateway.Interop.BadInput;
using Gateway.Interop.FirstHour;
using Gateway.Interop.Gateways;
using Gateway.Interop.PubSub;
using Gateway.Testing;

namespace Gateway.Interop.Metrics;

/// <summary>A gateway under load with an upstream and a broker, and a Prometheus with the alerts that scrapes it each
/// second. It has seen a storm, and then the loss of the upstream and of the broker.</summary>
public sealed class StormFixture : IAsyncLifetime, IDisposable
{
    private const int Clients = 5;

    /// <summary>Of one subscription: their first message is so long that it waits for its turn.</summary>
    private const int ManyItems = 700;

    private static readonly IPAddress Stormers = IPAddress.Parse("127.0.0.91");

    private readonly List<ClientSession> sessions = [];
    private readonly CancellationTokenSource stopping = new();
    private AdmissionGateway? gateway;
    private GatewayProcess? plant;
    private Mosquitto? broker;
    private PrometheusServer? prometheus;
    private Task load = Task.CompletedTask;
    private long started;

    internal PrometheusServer Prometheus => prometheus!;

    internal TemporaryFolder Folder { get; } = new();

    internal static string Alerts => Path.Combine(Readme.Root(), "deploy", "helm", "files", "alerts.yaml");

    /// <summary>As a panel asks: what there was over the whole time.</summary>
    internal Task<JsonElement> SinceTheStartAsync(string query) => Prometheus.GetAsync(string.Create(
        CultureInfo.InvariantCulture,
        $"query_range?query={Uri.EscapeDataString(query)}&start={started}&end={Now()}&step=1"));

    public async Task InitializeAsync()
    {
        if (PrometheusProgram.Missing is not null || MosquittoProgram.Missing is not null)
            return;
        broker = await Mosquitto.StartAsync(Folder);
        plant = await GatewayProcess.StartAsync(Folder, "--demo", "--Simulator:Tags=20");
        gateway = await AdmissionGateway.StartAsync(
        [
            "--Limits:MaxConnectionsPerSecondPerAddress=5",
            "--Upstreams:0:Name=plant", $"--Upstreams:0:EndpointUrl={plant.EndpointUrl}",
            "--Upstreams:0:BackupUrls:0=opc.tcp://127.0.0.1:1",
            "--Upstreams:0:SecurityPolicy=None", "--Upstreams:0:SecurityMode=None", .. PubSub(),
        ]);
        started = Now();
        prometheus = PrometheusServer.StartOn(Folder, gateway.Process.HttpPort, Alerts);
        for (int i = 0; i < Clients; i++)
            sessions.Add(await gateway.OpenAsync(gateway.Client(AdmissionGateway.AddressOf(i))));
        foreach (ClientSession session in sessions)
            await WatchAsync(session, items: 10);
        await WatchAsync(sessions[0], ManyItems);
        load = LoadAsync(stopping.Token);
        await SeenAsync("gateway_upstream_connected == 1");
        await SeenAsync("gateway_pubsub_connected == 1");
        await SeenAsync("gateway_publish_line_wait_seconds_count > 0");
        await (await gateway.OpenAsync(gateway.Good)).DisposeAsync();
        await StormAsync();
        await plant.KillAsync();
        await broker.KillAsync();
        await SeenAsync("gateway_upstream_connected == 0");
        await SeenAsync("gateway_pubsub_connected == 0");
    }

    public async Task DisposeAsync()
    {
        await stopping.CancelAsync();
        await load;
        foreach (ClientSession session in sessions)
            await session.DisposeAsync();
        if (prometheus is not null)
            await prometheus.DisposeAsync();
        if (gateway is not null)
            await gateway.DisposeAsync();
        if (plant is not null)
            await plant.DisposeAsync();
        if (broker is not null)
            await broker.DisposeAsync();
    }

    public void Dispose()
    {
        stopping.Dispose();
        Folder.Dispose();
    }

    private static long Now() => TimeProvider.System.GetUtcNow().ToUnixTimeSeconds();

    private IEnumerable<string> PubSub() =>
    [
        "--PubSub:DataSets:0:Name=tags", "--PubSub:DataSets:0:Nodes:0=/Objects/2:Simulator/2:Tags/*",
        "--PubSub:VersionsPath=" + Folder.Sub("versions") + "/versions.json",
        "--PubSub:Connections:0:Name=broker", $"--PubSub:Connections:0:Address=mqtt://127.0.0.1:{broker!.Port}",
        "--PubSub:Connections:0:StorePath=" + Folder.Sub("store"),
        "--PubSub:Connections:0:WriterGroups:0:Name=g", "--PubSub:Connections:0:WriterGroups:0:WriterGroupId=1",
        "--PubSub:Connections:0:WriterGroups:0:PublishingIntervalMs=100",
        "--PubSub:Connections:0:WriterGroups:0:DataSetWriters:0:Name=w",
        "--PubSub:Connections:0:WriterGroups:0:DataSetWriters:0:DataSetWriterId=1",
        "--PubSub:Connections:0:WriterGroups:0:DataSetWriters:0:DataSet=tags",
    ];

    /// <summary>Prometheus has an answer to it.</summary>
    private async Task SeenAsync(string query)
    {
        using CancellationTokenSource patience = new(Patience.Limit);
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(200));
        while ((await prometheus!.GetAsync("query?query=" + Uri.EscapeDataString(query)))
            .GetProperty("result").GetArrayLength() == 0)
            await look.WaitForNextTickAsync(patience.Token);
    }

    private static async Task WatchAsync(ClientSession session, int items)
    {
        ClientSubscription subscription = await session.CreateSubscriptionAsync(
            new SubscriptionSettings { PublishingIntervalMs = 100 }, new CounterHandler(items, valuesEach: 1));
        await subscription.CreateMonitoredItemsAsync([.. Enumerable.Range(0, items).Select(
            i => new MonitoredItemCreateRequest
            {
                ItemToMonitor = new ReadValueId
                {
                    NodeId = new NodeId((uint)(1000 + (i % 10)), 2), AttributeId = (uint)AttributeId.Value,
                },
                MonitoringMode = MonitoringMode.Reporting,
                RequestedParameters = new MonitoringParameters { ClientHandle = (uint)i, QueueSize = 10 },
            })]);
    }

    /// <summary>Connections faster than an address may come, until Prometheus has seen that they are refused.
    /// </summary>
    private async Task StormAsync()
    {
        using CancellationTokenSource seen = new();
        Task storm = Task.Run(async () =>
        {
            while (!seen.IsCancellationRequested)
            {
                await KnockAsync();
            }
        });
        await SeenAsync("sum by (stage, reason) (rate(gateway_admission_shed_total[1m])) > 1");
        await seen.CancelAsync();
        await storm;
    }

    /// <summary>One that is refused in a hurry may be reset before it sees that it was connected.</summary>
    private async Task KnockAsync()
    {
        try
        {
            using RawPeer peer = await RawPeer.ConnectAsync(gateway!.Process.Port, Stormers);
        }
        catch (SocketException error) when (error.SocketErrorCode == SocketError.ConnectionReset)
        {
            // Refused, as it should be.
        }
    }

    /// <summary>Requests of each kind, and some that are wrong, until the end.</summary>
    private async Task LoadAsync(CancellationToken end)
    {
        using HttpClient http = new() { BaseAddress = new($"http://127.0.0.1:{gateway!.Process.HttpPort}") };
        using PeriodicTimer turn = new(TimeSpan.FromMilliseconds(100));
        try
        {
            while (await turn.WaitForNextTickAsync(end))
                await RequestAsync(http, end);
        }
        catch (OperationCanceledException)
        {
            // The end of the test.
        }
    }

    private async Task RequestAsync(HttpClient http, CancellationToken end)
    {
        await sessions[0].InvokeAsync<ReadRequest, ReadResponse>(new ReadRequest
        {
            TimestampsToReturn = TimestampsToReturn.Both,
            NodesToRead = [new ReadValueId { NodeId = new NodeId(2258), AttributeId = (uint)AttributeId.Value }],
        }, end);
        await Assert.ThrowsAsync<ServiceException>(async () =>
            await sessions[0].InvokeAsync<ReadRequest, ReadResponse>(new ReadRequest(), end));
        await http.GetStringAsync("/api/v1/values?node=i=2258", end);
        using HttpRequestMessage wrong = new(HttpMethod.Get, "/api/v1/values?node=i=2258");
        wrong.Headers.Authorization = new AuthenticationHeaderValue(
            "Basic", Convert.ToBase64String(Encoding.ASCII.GetBytes("nobody:nothing")));
        (await http.SendAsync(wrong, end)).Dispose();
        await NonsenseAsync(end);
    }

    private async Task NonsenseAsync(CancellationToken end)
    {
        using Socket peer = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await peer.ConnectAsync(IPAddress.Loopback, gateway!.Process.HttpPort, end);
        await peer.SendAsync("NONSENSE\r\n\r\n"u8.ToArray(), end);
        await peer.ReceiveAsync(new byte[1024], end);
    }
}
