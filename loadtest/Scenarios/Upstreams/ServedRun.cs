using System.Diagnostics;
using Gateway.Codec.Types;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios.Upstreams;

/// <summary>All servers watched through the gateway, and one of them lost.</summary>
internal sealed class ServedRun(RunContext context)
{
    private const string PlantUri = "urn:gateway:simulator";
    private const int FirstTag = 1000;

    private readonly int _servers = context.Get(UpstreamsScenario.Upstreams);
    private readonly int _items = context.Get(UpstreamsScenario.Items);
    private readonly double _interval = context.Get(UpstreamsScenario.Interval);
    private readonly double _upstreamInterval = context.Get(UpstreamsScenario.UpstreamInterval);

    public async Task RunAsync(bool steady, bool reconnect)
    {
        await using var field = new ServerField(
            context, new Plant { Tags = _items, ChangesPerSecond = _items });
        await field.StartAsync(_servers);
        await using var gateway = await context.StartAnotherAsync(context.Options, new UpstreamsScenario(), new Plant
        {
            Tags = 0,
            ChangesPerSecond = 0,
            Arguments = ["--Simulator:Enabled=false", .. field.Arguments(_upstreamInterval)],
        });
        using var states = new UpstreamStates(gateway);
        await states.UntilAsync(
            "the servers' nodes", all => all.Count == _servers && all.All(UpstreamStates.IsServed));
        var pool = new SessionPool(gateway);
        await pool.OpenUpToAsync(_servers);
        var indexes = await IndexesAsync(pool);
        var recorder = new Recorder();
        var watchers = new WatcherPool(gateway, recorder);
        await watchers.AddAsync(
            0, _servers, n => pool.Sessions[n], n => TagsOf(indexes[n]), _interval);
        if (steady)
        {
            context.Report.BeginColumn(UpstreamsScenario.Steady);
            await MeasureAsync(gateway, watchers, recorder, pool);
        }

        if (reconnect)
        {
            context.Report.BeginColumn(UpstreamsScenario.Reconnect);
            await LoseOneAsync(field, states);
        }
    }

    private async Task MeasureAsync(RunContext gateway, WatcherPool watchers, Recorder recorder, SessionPool pool)
    {
        var report = context.Report;
        await gateway.WaitAsync(
            "warm-up", context.Get(UpstreamsScenario.WarmUp) + (2 * _interval / 1000));
        var from = watchers.Totals;
        var window = await gateway.MeasureAsync("steady state", context.Get(UpstreamsScenario.Seconds), recorder);
        var to = watchers.Totals;
        var p99 = recorder.Latency.PercentileMs(0.99);
        var beyond = p99 - _interval - _upstreamInterval;
        report.Add("servers", _servers);
        report.Add("items", (double)_servers * _items);
        report.Add("notifications a second", (to.Values - from.Values) / window.Seconds, "/s");
        report.Add("latency p50", recorder.Latency.PercentileMs(0.5), "ms");
        report.Add("latency p99", p99, "ms");
        report.Add("latency max", recorder.Latency.MaximumMs, "ms");
        report.Add("latency p99 beyond both publishing intervals", beyond, "ms");
        report.Add("lateness p99", recorder.Lateness.PercentileMs(0.99), "ms");
        report.Add(
            "server CPU a notification", 1e6 * window.ServerCpuSeconds / (to.Values - from.Values), "µs");
        WindowRows.AddTo(report, window);
        report.AddFault("sessions refused", pool.Failed);
        report.AddFault("sessions lost", pool.Lost);
        to.AddFaultsTo(report);
        UpstreamsScenario.NoteAbove(context, "server CPU", window.ServerCores, 1, "cores");
        UpstreamsScenario.NoteAbove(context, "latency p99 beyond both publishing intervals", beyond, 5, "ms");
    }

    /// <summary>Its sessions died with its process: all items are made anew.</summary>
    private async Task LoseOneAsync(ServerField field, UpstreamStates states)
    {
        var lost = ServerField.NameOf(0);
        var before = Of(await states.ReadAsync()).Connects;
        await field.KillAsync(0);
        await states.UntilAsync("the loss of a server", all => !UpstreamStates.IsServed(Of(all)));
        await field.StartAgainAsync(0);
        var listens = Stopwatch.GetTimestamp();
        await states.UntilAsync("the new connection", all => Of(all).Connects > before);
        var connected = Stopwatch.GetTimestamp();
        var back = await states.UntilAsync(
            "all items again", all => UpstreamStates.IsServed(Of(all)) && Of(all).Items >= _items);
        var seconds = Stopwatch.GetElapsedTime(connected).TotalSeconds;
        var report = context.Report;
        report.Add("items", Of(back).Items);
        report.Add("from listening to the connection", (connected - listens) / (double)Stopwatch.Frequency, "s");
        report.Add("from the connection to the last item", seconds, "s");
        report.AddFault("other servers that were lost", back.Count(one => one.Name != lost && one.Connects != 1));
        UpstreamsScenario.NoteAbove(context, "reconnect", seconds, 3, "s");

        UpstreamStates.State Of(IReadOnlyList<UpstreamStates.State> all) => all.First(one => one.Name == lost);
    }

    /// <summary>Of each server's plant: all have one URI, and one of them keeps it.</summary>
    private async Task<ushort[]> IndexesAsync(SessionPool pool)
    {
        var read = await NodeReader.ReadAsync(
            pool.Sessions[0], [new NodeId(StandardIds.Variables.Server_NamespaceArray)], context.Cancellation);
        var uris = read[0].Value.AsArray<string>() ?? [];
        return
        [
            .. Enumerable.Range(0, _servers).Select(server =>
            {
                var index = Array.IndexOf(uris, $"urn:gateway:{ServerField.NameOf(server)}:{PlantUri}");
                return (ushort)(index >= 0 ? index : Array.IndexOf(uris, PlantUri));
            }),
        ];
    }

    private NodeId[] TagsOf(ushort index) =>
        [.. Enumerable.Range(0, _items).Select(tag => new NodeId((uint)(FirstTag + tag), index))];
}
