using System.CommandLine;
using System.Globalization;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Reports;
using static System.FormattableString;

namespace Gateway.Loadtest.Scenarios;

/// <summary>CPU of a notification against the number in one message.</summary>
internal sealed class NotifyScenario : Scenario
{
    private readonly Option<int> _sessions = Number("--sessions", 1000, "Sessions, a connection each.", 1, 20_000);

    private readonly Option<int> _underWay = Number(
        "--under-way", 1, "Subscriptions of each: so many messages an interval on each connection.", 1, 100);

    private readonly Option<string> _items =
        Text("--items", "1,100", "Items of a subscription, all changing once an interval; measured for each number.");

    private readonly Option<double> _interval =
        Milliseconds("--interval", 1000, "Publishing interval in ms, and the time between two changes of a tag.");

    private readonly Option<int> _tags = Number("--tags", 1000, "Tags of the plant.", 1, 1_000_000);

    private readonly Option<int> _cold = Number(
        "--cold", 2, "Seconds measured from the last subscription on, of a gateway started here; 0: not.", 0, 3600);

    private readonly Option<int> _warmUp = Number("--warm-up", 5, "Seconds before each measurement.", 0, 3600);

    private readonly Option<int> _seconds = Number("--seconds", 20, "Seconds measured for each.", 1, 86_400);

    public override string Name => "notify";

    public override string Summary => "CPU of a notification, alone in its message and a hundred together.";

    public override string Description =>
        """
        Sessions with subscriptions of 1 item, then of 100 (--items), whose tags all change once an interval: what one
        message and one notification cost. Every value is checked as in the scenario sessions. A gateway started here
        gets a plant that fits, and there is a fresh one for each number of items; another server's tags have to change
        once an interval by themselves.
        Prints, for each number of items a column for the cold server and one for the warm one, named by connections ×
        subscriptions of each: notifications and messages a second, notifications a message, CPU of server (less the
        idle plant) and driver a message and a notification, allocation; of the warm one also lateness. Cold are the
        first seconds (--cold) of a gateway started here, once all subscriptions are there.
        """;

    public override IReadOnlyList<Option> Options =>
        [_sessions, _underWay, _items, _interval, _tags, _cold, _warmUp, _seconds];

    public override Plant PlantOf(ScenarioValues values) => new()
    {
        Tags = values.Get(_tags),
        ChangesPerSecond = (int)(values.Get(_tags) * 1000 / values.Get(_interval)),
    };

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        if (ItemsOf(values).Any(items => items is < 1 or > 10_000))
            yield return $"--items is not a list of numbers from 1 to 10000: {values.Get(_items)}";
    }

    public override async Task RunAsync(RunContext context)
    {
        var all = ItemsOf(context.Values);
        await MeasureAsync(context, all[0]);
        foreach (var items in all[1..])
        {
            if (!context.StartedServer)
            {
                await MeasureAsync(context, items);
                continue;
            }

            await using var fresh = await context.StartAnotherAsync(context.Options, this);
            await MeasureAsync(fresh, items);
        }
    }

    private async Task MeasureAsync(RunContext context, int items)
    {
        var shape = new LoadShape(context.Get(_sessions), context.Get(_underWay));
        var tags = await context.FindTagsAsync(context.Get(_tags));
        var pool = new SessionPool(context);
        await pool.OpenUpToAsync(shape.Connections);
        var recorder = new Recorder();
        var watchers = new WatcherPool(context, recorder);
        await watchers.AddAsync(
            0,
            pool.Sessions.Count * shape.UnderWay,
            n => pool.Sessions[n % pool.Sessions.Count],
            n => TagSlice.Of(tags, (long)n * items, items),
            context.Get(_interval));
        var start = watchers.Totals;
        var cold = context.StartedServer && context.Get(_cold) > 0
            ? await context.MeasureAsync($"{items} a message, cold", context.Get(_cold))
            : null;
        var afterCold = watchers.Totals;
        await context.WaitAsync("warm-up", context.Get(_warmUp) + (2 * context.Get(_interval) / 1000));
        var from = watchers.Totals;
        var warm = await context.MeasureAsync($"{items} a message", context.Get(_seconds), recorder);
        var to = watchers.Totals;
        await pool.CloseAsync();
        var idle = await context.IdleCoresAsync();

        var report = context.Report;
        if (cold is not null)
        {
            report.BeginColumn(Invariant($"{items} a message, {shape.Cold}"));
            PrintCosts(report, watchers, start, cold, afterCold, idle);
        }

        report.BeginColumn(Invariant($"{items} a message, {shape.Warm}"));
        PrintCosts(report, watchers, from, warm, to, idle);
        PrintWarm(report, warm, to, recorder);
        report.AddFault("sessions refused", pool.Failed);
    }

    private int[] ItemsOf(ScenarioValues values) => Array.ConvertAll(
        values.Get(_items).Split(','), part => int.TryParse(part, CultureInfo.InvariantCulture, out var n) ? n : 0);

    private static void PrintCosts(
        Report report, WatcherPool watchers, WatcherTotals from, Window window, WatcherTotals to, double idle)
    {
        var (values, messages) = ((double)(to.Values - from.Values), (double)(to.Messages - from.Messages));
        var busy = window.ServerCpuSeconds - (idle * window.Seconds);
        report.Add("subscriptions", watchers.Watchers.Count);
        report.Add("notifications a second", values / window.Seconds, "/s");
        report.Add("messages a second", messages / window.Seconds, "/s");
        report.Add("notifications a message", values / messages);
        report.Add("server CPU a message", 1e6 * busy / messages, "µs");
        report.Add("server CPU a notification", 1e6 * busy / values, "µs");
        report.Add("driver CPU a message", 1e6 * window.DriverCpuSeconds / messages, "µs");
        report.Add("server CPU idle (taken off)", 100 * idle, "% of a core");
        report.Add("server allocated a message", window.ServerAllocatedBytes / messages, "B");
        report.Add("server allocated a notification", window.ServerAllocatedBytes / values, "B");
    }

    /// <summary>The faults are of the whole time, the cold part with it.</summary>
    private static void PrintWarm(Report report, Window window, WatcherTotals to, Recorder recorder)
    {
        report.Add("lateness p50", recorder.Lateness.PercentileMs(0.5), "ms");
        report.Add("lateness p99", recorder.Lateness.PercentileMs(0.99), "ms");
        report.Add("lateness max", recorder.Lateness.MaximumMs, "ms");
        report.Add("drift over the measurement, worst", to.DriftMs, "ms");
        WindowRows.AddTo(report, window);
        to.AddFaultsTo(report);
    }
}
