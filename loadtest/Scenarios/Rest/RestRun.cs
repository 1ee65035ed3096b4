using System.Globalization;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Peers;
using Gateway.Loadtest.Scenarios.Compare;

namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>One run: each part against a gateway of its own, the empty endpoint first, the peer last.</summary>
internal sealed class RestRun(RunContext run, RestScenario scenario)
{
    private const double IdleSeconds = 3;

    private readonly string[] _tags = Ids(run.Options.TagFormat, run.Options.FirstTag, run.Get(RestScenario.Nodes));
    private readonly string[] _writable =
        Ids(run.Get(WriteTags.Format), run.Get(WriteTags.First), run.Get(RestScenario.Connections));

    private readonly List<RestMeasured> _columns = [];

    private int Connections => run.Get(RestScenario.Connections);

    public async Task RunAsync()
    {
        var (isFirst, idle) = (true, 0.0);
        foreach (var name in RestScenario.PartsOf(run.Values))
        {
            var part = RestPart.Of(name, _tags, _writable);
            if (name == RestPart.Empty)
            {
                await RunEmptyAsync(part);
                continue;
            }

            if (!run.StartedServer || (isFirst && part.PlantTags == 0))
            {
                await RunPartAsync(run, part);
            }
            else
            {
                await using var fresh = await run.StartAnotherAsync(run.Options, scenario, PlantOf(part));
                await RunPartAsync(fresh, part);
            }

            if (isFirst)
                idle = await run.IdleCoresAsync();
            isFirst = false;
        }

        _columns.ForEach(column => column.IdleCores = column.IsEmpty ? 0 : idle);
        if (run.Get(RestScenario.WithPeer))
            await RunPeerAsync();
        new RestTable(run.Report, _columns).Print();
        if (run.Get(RestScenario.Sessions) > 0)
            await RunBesideAsync();
    }

    private static string[] Ids(string format, int first, int count) =>
        [.. Enumerable.Range(first, count).Select(n => string.Format(CultureInfo.InvariantCulture, format, n))];

    private async Task RunEmptyAsync(RestPart part)
    {
        run.Progress.Begin("starting the empty endpoint");
        await using var empty = await EmptyServer.StartAsync(run.Cancellation);
        var target = new HttpTarget(empty.Url!, empty.Probe, run.Options);
        await MeasureAsync(target, part, string.Empty, Connections, isCold: true);
        if (run.Get(RestScenario.Many) > 0)
            await MeasureAsync(target, part, string.Empty, run.Get(RestScenario.Many), isCold: false);
    }

    private async Task RunPartAsync(RunContext server, RestPart part)
    {
        var url = server.HttpUrl ?? server.Get(RestScenario.HttpUrl);
        var target = new HttpTarget(new Uri(url), server.Server, run.Options);
        var connections = part.Connections > 0 ? part.Connections : Connections;
        await MeasureAsync(target, part, string.Empty, connections, isCold: server.StartedServer);
        if (part.Name == "get" && run.Get(RestScenario.Many) > 0)
            await MeasureAsync(target, part, string.Empty, run.Get(RestScenario.Many), isCold: false);
    }

    private async Task RunBesideAsync()
    {
        var part = RestPart.Of("get", _tags, _writable);
        if (!run.StartedServer)
        {
            await new BesideRun(run, part).RunAsync();
            return;
        }

        var plant = PlantOf(part);
        await using var fresh = await run.StartAnotherAsync(
            run.Options, scenario, plant with { Tags = Math.Max(plant.Tags, run.Get(RestScenario.Sessions)) });
        await new BesideRun(fresh, part).RunAsync();
    }

    private Plant PlantOf(RestPart part)
    {
        var plant = scenario.PlantOf(run.Values);
        return part.PlantTags > 0 ? plant with { Tags = part.PlantTags } : plant;
    }

    private async Task RunPeerAsync()
    {
        var folder = PeerFolder.Find(run.Get(CompareScenario.Peers));
        run.Report.Facts["peer"] = NodeOpcuaServer.Version(folder) + ", JSON by Express in the same process";
        run.Progress.Begin("starting node-opcua behind Express");
        using var peer = await NodeOpcuaServer.StartAsync(
            folder, scenario.PlantOf(run.Values), 10, run.Cancellation, withHttp: true);
        using var probe = new ProcessProbe(peer.ProcessId);
        var idle = await IdleAsync(probe);
        var before = _columns.Count;
        var target = new HttpTarget(new Uri(peer.HttpUrl!), probe, run.Options with { User = null });
        var parts = RestScenario.PartsOf(run.Values).Select(name => RestPart.Of(name, _tags, _writable));
        foreach (var part in parts.Where(static one => one.Name != RestPart.Empty && !one.IsSearch))
            await MeasureAsync(target, part, "node-opcua and Express, ", Connections, isCold: false);
        _columns[before..].ForEach(column => column.IdleCores = idle);
    }

    private async Task<double> IdleAsync(ProcessProbe probe)
    {
        using var driver = new ProcessProbe(Environment.ProcessId);
        // What its start left to do.
        await run.WaitAsync("letting the peer settle", IdleSeconds);
        var meter = new Meter(probe, driver);
        await run.WaitAsync("the idle peer", IdleSeconds);
        return meter.Stop().ServerCores;
    }

    private async Task MeasureAsync(HttpTarget target, RestPart part, string server, int connections, bool isCold)
    {
        using var crowd = await RestCrowd.StartAsync(run, target, part, connections);
        if (isCold && run.Get(RestScenario.Cold) > 0)
            _columns.Add(await crowd.MeasureAsync(server, isCold: true, run.Get(RestScenario.Cold)));
        await run.WaitAsync("warm-up", run.Get(RestScenario.WarmUp));
        var warm = await crowd.MeasureAsync(server, isCold: false, run.Get(RestScenario.Seconds));
        warm.Faults = await crowd.EndAsync();
        _columns.Add(warm);
        // Off the socket's thread, on which the last answer came: the end of a server blocks, and its last lines come
        // by that thread.
        await Task.Yield();
    }
}
