using System.CommandLine;
using System.Globalization;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios;

/// <summary>CPU of a notification against the number in one message.</summary>
internal sealed class NotifyScenario : Scenario
{
    private readonly Option<int> _sessions = Number("--sessions", 1000, "Sessions, one subscription each.", 1, 20_000);

    private readonly Option<string> _items =
        Text("--items", "1,100", "Items of a subscription, all changing once an interval; a column for each number.");

    private readonly Option<double> _interval =
        Milliseconds("--interval", 1000, "Publishing interval in ms, and the time between two changes of a tag.");

    private readonly Option<int> _tags = Number("--tags", 1000, "Tags of the plant.", 1, 1_000_000);

    private readonly Option<int> _warmUp = Number("--warm-up", 5, "Seconds before each measurement.", 0, 3600);

    private readonly Option<int> _seconds = Number("--seconds", 20, "Seconds measured for each.", 1, 86_400);

    public override string Name => "notify";

    public override string Summary => "CPU of a notification, alone in its message and a hundred together.";

    public override string Description =>
        """
        Sessions with a subscription of 1 item, then of 100 (--items), whose tags all change once an interval: what one
        message and one notification cost. Every value is checked as in the scenario sessions. A gateway started here
        gets a plant that fits; another server's tags have to change once an interval by themselves.
        Prints, a column for each number of items: notifications and messages a second, notifications a message, CPU
        of server (less the idle plant) and driver a message and a notification, allocation, lateness.
        """;

    public override IReadOnlyList<Option> Options => [_sessions, _items, _interval, _tags, _warmUp, _seconds];

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
        var tags = await context.FindTagsAsync(context.Get(_tags));
        List<(int Items, WatcherTotals From, Window Window, WatcherTotals To, Recorder Recorder)> measured = [];
        foreach (var items in ItemsOf(context.Values))
        {
            var pool = new SessionPool(context);
            await pool.OpenUpToAsync(context.Get(_sessions));
            context.Report.BeginColumn(ColumnOf(items));
            context.Report.AddFault("sessions refused", pool.Failed);
            var recorder = new Recorder();
            var watchers = new WatcherPool(context, recorder);
            await watchers.AddAsync(
                0,
                pool.Sessions.Count,
                n => pool.Sessions[n],
                n => TagSlice.Of(tags, n * items, items),
                context.Get(_interval));
            await context.WaitAsync("warm-up", context.Get(_warmUp) + (2 * context.Get(_interval) / 1000));
            var from = watchers.Totals;
            var window = await context.MeasureAsync($"{items} a message", context.Get(_seconds), recorder);
            measured.Add((items, from, window, watchers.Totals, recorder));
            await pool.CloseAsync();
        }

        var idle = await context.IdleCoresAsync();
        foreach (var (items, from, window, to, recorder) in measured)
            Print(context, items, from, window, to, recorder, idle);
    }

    private int[] ItemsOf(ScenarioValues values) => Array.ConvertAll(
        values.Get(_items).Split(','), part => int.TryParse(part, CultureInfo.InvariantCulture, out var n) ? n : 0);

    private static string ColumnOf(int items) =>
        string.Create(CultureInfo.InvariantCulture, $"{items} a message");

    private static void Print(
        RunContext context, int items, WatcherTotals from, Window window, WatcherTotals to, Recorder recorder,
        double idle)
    {
        var report = context.Report;
        report.BeginColumn(ColumnOf(items));
        var (values, messages) = ((double)(to.Values - from.Values), (double)(to.Messages - from.Messages));
        var busy = window.ServerCpuSeconds - (idle * window.Seconds);
        report.Add("notifications a second", values / window.Seconds, "/s");
        report.Add("messages a second", messages / window.Seconds, "/s");
        report.Add("notifications a message", values / messages);
        report.Add("server CPU a message", 1e6 * busy / messages, "µs");
        report.Add("server CPU a notification", 1e6 * busy / values, "µs");
        report.Add("driver CPU a message", 1e6 * window.DriverCpuSeconds / messages, "µs");
        report.Add("server CPU idle (taken off)", 100 * idle, "% of a core");
        report.Add("server allocated a message", window.ServerAllocatedBytes / messages, "B");
        report.Add("server allocated a notification", window.ServerAllocatedBytes / values, "B");
        report.Add("lateness p50", recorder.Lateness.PercentileMs(0.5), "ms");
        report.Add("lateness p99", recorder.Lateness.PercentileMs(0.99), "ms");
        report.Add("lateness max", recorder.Lateness.MaximumMs, "ms");
        report.Add("drift over the measurement, worst", to.DriftMs, "ms");
        WindowRows.AddTo(report, window);
        to.AddFaultsTo(report);
    }
}
