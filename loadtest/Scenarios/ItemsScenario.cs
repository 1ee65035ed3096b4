using System.CommandLine;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Many monitored items in some subscriptions.</summary>
internal sealed class ItemsScenario : Scenario
{
    private readonly Option<int> _items = Number("--items", 100_000, "Monitored items in all.", 1, 5_000_000);

    private readonly Option<int> _subscriptions =
        Number("--subscriptions", 10, "Subscriptions that share them, one session each.", 1, 10_000);

    private readonly Option<int> _tags = Number("--tags", 10_000, "Tags, used in turn.", 1, 1_000_000);

    private readonly Option<int> _changes =
        Number("--changes", 1000, "Changes a second of a plant started here, over all its tags.", 0, 1_000_000);

    private readonly Option<double> _interval = Milliseconds("--interval", 1000, "Publishing interval in ms.");

    private readonly Option<int> _queue = Number("--queue", 10, "Queue size asked for each item.", 1, 1000);

    private readonly Option<int> _warmUp = Number("--warm-up", 5, "Seconds before the measurement.", 0, 3600);

    private readonly Option<int> _seconds = Number("--seconds", 30, "Seconds of steady state measured.", 1, 86_400);

    public override string Name => "items";

    public override string Summary => "Many monitored items: rate of creating, bytes an item, CPU a notification.";

    public override string Description =>
        """
        Creates the monitored items, 1,000 a call, then measures the steady state with every value checked.
        Prints: items created a second, CPU and memory an item, notifications a second and what one costs, lateness.
        """;

    public override IReadOnlyList<Option> Options =>
        [_items, _subscriptions, _tags, _changes, _interval, _queue, _warmUp, _seconds];

    public override Plant PlantOf(ScenarioValues values) =>
        new() { Tags = values.Get(_tags), ChangesPerSecond = values.Get(_changes) };

    public override async Task RunAsync(RunContext context)
    {
        var (report, total, interval) = (context.Report, context.Get(_items), context.Get(_interval));
        var tags = await context.FindTagsAsync(context.Get(_tags));
        var pool = new SessionPool(context);
        await pool.OpenUpToAsync(context.Get(_subscriptions));
        var sessions = pool.Sessions;
        var each = total / sessions.Count;
        total = each * sessions.Count;
        var recorder = new Recorder();
        var watchers = new WatcherPool(context, recorder) { QueueSize = (uint)context.Get(_queue) };
        var meter = context.StartMeter();
        await watchers.AddAsync(
            0, sessions.Count, n => sessions[n], n => TagSlice.Of(tags, (long)n * each, each), interval);
        var created = meter.Stop();
        await context.WaitAsync("warm-up", context.Get(_warmUp) + (2 * interval / 1000));
        var from = watchers.Totals;
        var window = await context.MeasureAsync("steady state", context.Get(_seconds), recorder);
        var to = watchers.Totals;
        await pool.CloseAsync();
        var idle = await context.IdleCoresAsync();

        var values = (double)(to.Values - from.Values);
        var busy = window.ServerCpuSeconds - (idle * window.Seconds);
        report.Add("monitored items", total);
        report.Add("subscriptions", sessions.Count);
        report.Add("items created a second", total / created.Seconds, "/s");
        report.Add("server CPU an item created", 1e6 * created.ServerCpuSeconds / total, "µs");
        report.Add(
            "server memory an item", (window.ServerResidentBytes - meter.ServerResidentBytes) / total, "B");
        report.Add("notifications a second", values / window.Seconds, "/s");
        report.Add("notifications a message", values / (to.Messages - from.Messages));
        report.Add("server CPU idle (taken off)", 100 * idle, "% of a core");
        report.Add("server CPU a notification", 1e6 * busy / values, "µs");
        report.Add("server allocated a notification", window.ServerAllocatedBytes / values, "B");
        report.Add("lateness p50", recorder.Lateness.PercentileMs(0.5), "ms");
        report.Add("lateness p99", recorder.Lateness.PercentileMs(0.99), "ms");
        report.Add("lateness max", recorder.Lateness.MaximumMs, "ms");
        WindowRows.AddTo(report, window);
        report.AddFault("sessions refused", pool.Failed);
        to.AddFaultsTo(report);
    }
}
