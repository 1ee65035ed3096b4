using System.Globalization;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Peers;
using Gateway.Loadtest.Scenarios.Compare;

namespace Gateway.Loadtest.Scenarios.PubSub;

/// <summary>One run: the gateway that publishes nothing first, then a gateway and a broker for each part.</summary>
internal sealed class PubSubRun(RunContext run, PubSubScenario scenario)
{
    private const double SessionIntervalMs = 1000;

    private readonly string[] _nodes =
    [
        .. Enumerable.Range(run.Options.FirstTag, scenario.PlantOf(run.Values).Tags).Select(
            tag => string.Format(CultureInfo.InvariantCulture, run.Options.TagFormat, tag)),
    ];

    private int Sessions => run.Get(PubSubScenario.Sessions);

    public async Task RunAsync()
    {
        var names = PubSubScenario.PartsOf(run.Values);
        var table = new PubSubTable(run.Report);
        if (names.Any(static name => name is PubSubScenario.Json or PubSubScenario.Uadp))
            table.Print(await RunQuietAsync());
        foreach (var name in names)
        {
            if (name == PubSubScenario.Outage)
                await RunOutageAsync();
            else if (name == PubSubScenario.Peer)
                table.Print(await RunPeerAsync());
            else
                table.Print(await RunPartAsync(name));
        }
    }

    private PubSubPart PartOf(string encoding) => new()
    {
        Encoding = encoding,
        Writers = run.Get(PubSubScenario.Writers),
        Fields = run.Get(PubSubScenario.Fields),
        IntervalMs = run.Get(PubSubScenario.Interval),
        KeyFrameCount = run.Get(PubSubScenario.KeyFrames),
    };

    private Task<RunContext> StartGatewayAsync(PubSubPart? part, int brokerPort) => run.StartAnotherAsync(
        run.Options, scenario,
        scenario.PlantOf(run.Values) with { Settings = part?.Settings(brokerPort, _nodes) ?? string.Empty });

    private async Task<PubSubColumn> RunQuietAsync()
    {
        await using var gateway = await StartGatewayAsync(null, 0);
        await using var beside = await SessionsBeside.StartAsync(gateway, Sessions, SessionIntervalMs);
        await run.WaitAsync("warm-up", run.Get(PubSubScenario.WarmUp));
        var window = await gateway.MeasureAsync("publishing nothing", run.Get(PubSubScenario.Seconds), beside);
        await beside.EndAsync();
        return new PubSubColumn { Name = "publishes nothing", Window = window, Sessions = beside };
    }

    private async Task<PubSubColumn> RunPartAsync(string encoding)
    {
        var part = PartOf(encoding);
        await using var broker = await StartBrokerAsync();
        await using var subscriber = await SubscribeAsync(part, broker);
        await using var gateway = await StartGatewayAsync(part, broker.Port);
        await using var beside = await SessionsBeside.StartAsync(gateway, Sessions, SessionIntervalMs);
        await run.WaitAsync("warm-up", run.Get(PubSubScenario.WarmUp));
        var column = await MeasureAsync(
            encoding, subscriber, broker,
            () => gateway.MeasureAsync($"publishing as {encoding}", run.Get(PubSubScenario.Seconds), beside));
        await beside.EndAsync();
        return column with { Sessions = beside };
    }

    /// <summary>The peer reads from a gateway, as a program beside one would; its own CPU counts, and not that of the
    /// gateway.</summary>
    private async Task<PubSubColumn> RunPeerAsync()
    {
        var folder = PeerFolder.Find(run.Get(CompareScenario.Peers));
        run.Report.Facts["peer"] = NodeOpcuaServer.Version(folder) + ", " + NodePublisher.Version(folder);
        var part = PartOf(PubSubScenario.Json);
        await using var broker = await StartBrokerAsync();
        await using var subscriber = await SubscribeAsync(part, broker);
        await using var gateway = await StartGatewayAsync(null, 0);
        run.Progress.Begin("starting node-opcua and mqtt.js");
        using var peer = await NodePublisher.StartAsync(
            folder, gateway.Url, broker.Port, part, _nodes, run.Cancellation);
        using var publisher = new ProcessProbe(peer.ProcessId);
        using var driver = new ProcessProbe(Environment.ProcessId);
        await run.WaitAsync("warm-up", run.Get(PubSubScenario.WarmUp));
        var column = await MeasureAsync("node-opcua and mqtt.js", subscriber, broker, async () =>
        {
            var meter = new Meter(publisher, driver);
            await run.WaitAsync("the peer publishes", run.Get(PubSubScenario.Seconds));
            return meter.Stop();
        });
        return column with { IsPeer = true };
    }

    private async Task RunOutageAsync()
    {
        var part = PartOf(PubSubScenario.Json);
        await using var broker = await StartBrokerAsync();
        await using var subscriber = await SubscribeAsync(part, broker);
        await using var gateway = await StartGatewayAsync(part, broker.Port);
        await run.WaitAsync("warm-up", run.Get(PubSubScenario.WarmUp));
        await new OutageRun(gateway, broker, subscriber).RunAsync();
    }

    private Task<Mosquitto> StartBrokerAsync()
    {
        run.Progress.Begin("starting mosquitto");
        return Mosquitto.StartAsync(run.Cancellation);
    }

    private Task<PubSubSubscriber> SubscribeAsync(PubSubPart part, Mosquitto broker) => PubSubSubscriber.StartAsync(
        broker.Port, part.Filter, part.Decoder(), part.Check(), run.Cancellation);

    private static async Task<PubSubColumn> MeasureAsync(
        string name, PubSubSubscriber subscriber, Mosquitto broker, Func<Task<Window>> measure)
    {
        var (check, latency) = (subscriber.Check, new Histogram());
        using var probe = new ProcessProbe(broker.ProcessId);
        var (messages, fields, keyFrames, bytes, cpu) =
            (check.Messages, check.Fields, check.KeyFrames, subscriber.Bytes, probe.CpuSeconds());
        check.Latency = latency;
        var window = await measure();
        check.Latency = null;
        return new PubSubColumn
        {
            Name = name,
            Window = window,
            Check = check,
            Latency = latency,
            Messages = check.Messages - messages,
            Fields = check.Fields - fields,
            KeyFrames = check.KeyFrames - keyFrames,
            Bytes = subscriber.Bytes - bytes,
            BrokerCpuSeconds = probe.CpuSeconds() - cpu,
        };
    }
}
