using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Peers;
using Gateway.Loadtest.Scenarios.Compare;
using static System.FormattableString;

namespace Gateway.Loadtest.Scenarios.Events;

/// <summary>One run: the parts one after the other, each with a server of its own.</summary>
internal sealed class EventsRun(RunContext run, EventsScenario scenario)
{
    private const double SessionIntervalMs = 1000;
    private const string Control = "sessions of another gateway";

    public async Task RunAsync()
    {
        var alarms = new AlarmsRun(run, scenario);
        foreach (var part in EventsScenario.PartsOf(run.Values))
        {
            if (part == EventsScenario.Steady)
                await RunSteadyAsync();
            else if (part == EventsScenario.Burst)
                await alarms.RunBurstAsync();
            else if (part == EventsScenario.Refresh)
                await alarms.RunRefreshAsync();
            else
                await RunPeerAsync();
        }
    }

    private async Task RunSteadyAsync()
    {
        await using var gateway = await run.StartAnotherAsync(
            run.Options, scenario, scenario.WithEvents(run.Values));
        await using var beside = await SessionsBeside.StartAsync(
            gateway, run.Get(EventsScenario.Sessions), SessionIntervalMs);
        // What a busy machine costs sessions whose gateway has no events.
        await using var other = await run.StartAnotherAsync(run.Options, scenario);
        await using var control = await SessionsBeside.StartAsync(
            other, run.Get(EventsScenario.Sessions), SessionIntervalMs);
        var both = new Measurements(beside, control);
        await run.WaitAsync("sessions alone: warm-up", run.Get(EventsScenario.WarmUp));
        var quiet = await gateway.MeasureAsync("sessions alone", run.Get(EventsScenario.Seconds), both);
        run.Report.BeginColumn("without event items");
        beside.AddTo(run.Report);
        control.AddTo(run.Report, Control);
        WindowRows.AddTo(run.Report, quiet);

        var crowd = await StartAsync(gateway);
        await run.WaitAsync("events: warm-up", run.Get(EventsScenario.WarmUp));
        await MeasureAsync(
            gateway, crowd, Invariant($"{run.Get(EventsScenario.Events):N0} events/s"), quiet.ServerCores, both);
        crowd.AddFaultsTo(run.Report);
        await beside.EndAsync();
        beside.AddTo(run.Report);
        await control.EndAsync();
        control.AddTo(run.Report, Control);
        await crowd.Pool.CloseAsync();
    }

    private async Task RunPeerAsync()
    {
        var folder = PeerFolder.Find(run.Get(CompareScenario.Peers));
        run.Report.Facts["peer"] = NodeOpcuaServer.Version(folder);
        run.Progress.Begin("starting node-opcua");
        using var peer = await NodeOpcuaServer.StartAsync(
            folder, scenario.PlantOf(run.Values), run.Get(EventsScenario.Clients), run.Cancellation,
            eventsPerSecond: run.Get(EventsScenario.PeerEvents));
        var options = run.Options with { Url = peer.Url, ServerPid = peer.ProcessId, GatewayDll = null };
        await using var context = await run.StartAnotherAsync(options, scenario);
        var idle = await context.MeasureAsync("node-opcua: idle", 5);
        var crowd = await StartAsync(context);
        await run.WaitAsync("node-opcua: warm-up", run.Get(EventsScenario.WarmUp));
        await MeasureAsync(
            context, crowd, Invariant($"node-opcua, {run.Get(EventsScenario.PeerEvents):N0} events/s"),
            idle.ServerCores, null);
        crowd.AddFaultsTo(run.Report, isPeer: true);
        await crowd.Pool.CloseAsync();
    }

    private Task<EventCrowd> StartAsync(RunContext server)
    {
        var filters = run.Get(EventsScenario.Filters);
        // Two seconds and an interval of the busiest item.
        var queue = (uint)Math.Max(
            100, run.Get(EventsScenario.Events) / filters * ((run.Get(EventsScenario.Interval) / 1000) + 2));
        return EventCrowd.StartAsync(
            server, run.Get(EventsScenario.Clients), run.Get(EventsScenario.Interval), 100,
            number => EventItem.OfLine(number % filters, queue));
    }

    /// <param name="server">A gateway, or the peer.</param>
    /// <param name="crowd">Its clients.</param>
    /// <param name="column">For the table.</param>
    /// <param name="idle">Cores of the server without event items.</param>
    /// <param name="beside">Null: none.</param>
    private async Task MeasureAsync(
        RunContext server, EventCrowd crowd, string column, double idle, Measurements? beside)
    {
        var seconds = run.Get(EventsScenario.Seconds);
        run.Progress.BeginSeconds(column, seconds);
        var (events, bytes, messages) = Counts(crowd);
        var meter = server.StartMeter();
        await Task.WhenAll(
            crowd.Recorder.MeasureAsync(seconds, run.Cancellation),
            beside?.MeasureAsync(seconds, run.Cancellation) ?? Task.CompletedTask);
        var window = meter.Stop();
        var now = Counts(crowd);
        (events, bytes, messages) = (now.Events - events, now.Bytes - bytes, now.Messages - messages);

        var report = run.Report;
        // Each event passes one filter, so as many clients have it as there are of that filter.
        var raised = events / (crowd.Watchers.Count / (double)run.Get(EventsScenario.Filters));
        var busy = window.ServerCpuSeconds - (idle * window.Seconds);
        report.BeginColumn(column);
        report.Add("clients", crowd.Watchers.Count);
        report.Add("events a second", raised / window.Seconds, "/s");
        report.Add("notifications a second", events / window.Seconds, "/s");
        report.Add("notifications a message", events / (double)messages);
        report.Add("bytes a notification", bytes / (double)events, "B");
        report.Add("server CPU without the idle server's", busy / window.Seconds, "cores");
        report.Add("server CPU an event", 1e6 * busy / raised, "µs");
        report.Add("server CPU a notification", 1e6 * busy / events, "µs");
        report.Add("server allocated an event", window.ServerAllocatedBytes / raised, "B");
        report.Add("server allocated a notification", window.ServerAllocatedBytes / events, "B");
        report.Add("age of a message's oldest event, p50", crowd.Recorder.Latency.PercentileMs(0.5), "ms");
        report.Add("age of a message's oldest event, p99", crowd.Recorder.Latency.PercentileMs(0.99), "ms");
        WindowRows.AddTo(report, window);
    }

    private static (long Events, long Bytes, long Messages) Counts(EventCrowd crowd) => (
        crowd.Sum(static one => one.Events), crowd.Sum(static one => one.Bytes),
        crowd.Sum(static one => one.Messages));
}
