using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Interop.Admission;
using Gateway.Testing;

namespace Gateway.Interop.Metrics;

/// <summary>A gateway with one client that subscribes, and a Prometheus that has scraped it a few times in both
/// formats. Nothing starts where there is no Prometheus.</summary>
public sealed class PrometheusFixture : IAsyncLifetime
{
    private const int Scrapes = 4;

    /// <summary>Of one node: their message is so long that it waits for its turn.</summary>
    private const int Items = 700;

    private AdmissionGateway? gateway;
    private ClientSession? session;
    private PrometheusServer? prometheus;

    internal PrometheusServer Prometheus => prometheus!;

    internal ScrapeRelay? Relay { get; private set; }

    private TemporaryFolder Folder { get; } = new();

    internal int HttpPort => gateway!.Process.HttpPort;

    public async Task InitializeAsync()
    {
        if (PrometheusProgram.Missing is not null)
            return;
        gateway = await AdmissionGateway.StartAsync("--Users:0:Name=anna", "--Users:0:Password=horse",
            "--Users:0:Roles:0=Observer",
            // A broker and an upstream that never answer: their metrics are there.
            "--Upstreams:0:Name=away", "--Upstreams:0:EndpointUrl=opc.tcp://127.0.0.1:1",
            "--Upstreams:0:BackupUrls:0=opc.tcp://127.0.0.2:1",
            "--PubSub:DataSets:0:Name=a", "--PubSub:DataSets:0:Nodes:0=i=2258",
            "--PubSub:VersionsPath=" + Folder.Sub("versions") + "/versions.json",
            "--PubSub:Connections:0:Name=c", "--PubSub:Connections:0:Address=mqtt://127.0.0.1:1",
            "--PubSub:Connections:0:StorePath=" + Folder.Sub("store"),
            "--PubSub:Connections:0:WriterGroups:0:Name=g", "--PubSub:Connections:0:WriterGroups:0:WriterGroupId=1",
            "--PubSub:Connections:0:WriterGroups:0:DataSetWriters:0:Name=w",
            "--PubSub:Connections:0:WriterGroups:0:DataSetWriters:0:DataSetWriterId=1",
            "--PubSub:Connections:0:WriterGroups:0:DataSetWriters:0:DataSet=a",
            "--PubSub:Connections:0:ReaderGroups:0:Name=in",
            "--PubSub:Connections:0:ReaderGroups:0:DataSetReaders:0:Name=r",
            "--PubSub:Connections:0:ReaderGroups:0:DataSetReaders:0:PublisherId=other",
            "--PubSub:Connections:0:ReaderGroups:0:DataSetReaders:0:DataSetWriterId=1");
        session = await gateway.OpenAsync(gateway.Good);
        CounterHandler counters = new(Items, valuesEach: 3);
        ClientSubscription subscription = await session.CreateSubscriptionAsync(
            new SubscriptionSettings { PublishingIntervalMs = 100 }, counters);
        await subscription.CreateMonitoredItemsAsync(
        [
            .. Enumerable.Range(0, Items).Select(i => new MonitoredItemCreateRequest
            {
                ItemToMonitor = new ReadValueId
                {
                    NodeId = new NodeId(1000u, 2), AttributeId = (uint)AttributeId.Value,
                },
                MonitoringMode = MonitoringMode.Reporting,
                RequestedParameters = new MonitoringParameters
                {
                    ClientHandle = (uint)i, QueueSize = 1000, DiscardOldest = true,
                },
            }),
        ]);
        await counters.Done.WaitAsync(Patience.Limit);
        Relay = new ScrapeRelay(HttpPort);
        prometheus = PrometheusServer.Start(Folder, Relay.Port);
        await Relay.ScrapesAsync(Scrapes);
        // A scrape that ran into its time-out left no sample.
        await prometheus.AwaitAsync("sum_over_time(up{@}[10m])", Scrapes);
    }

    public async Task DisposeAsync()
    {
        if (prometheus is not null)
            await prometheus.DisposeAsync();
        if (Relay is not null)
            await Relay.DisposeAsync();
        if (session is not null)
            await session.DisposeAsync();
        if (gateway is not null)
            await gateway.DisposeAsync();
        Folder.Dispose();
    }
}
