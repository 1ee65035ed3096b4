using System.CommandLine;
using System.Globalization;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Items that are sampled faster than their subscription publishes, with a queue for the samples in between.
/// </summary>
internal sealed class SampledScenario : Scenario
{
    private readonly Option<int> _sessions = Number("--sessions", 100, "Sessions, one subscription each.", 1, 20_000);

    private readonly Option<int> _items = Number("--items", 10, "Items of a subscription.", 1, 10_000);

    private readonly Option<int> _writeTags = Number("--write-tags", 100, "Variables that are written.", 1, 1000);

    private readonly Option<double> _interval = Milliseconds("--interval", 3000, "Publishing interval in ms.");

    private readonly Option<double> _sampling = Milliseconds("--sampling", 50, "Sampling interval in ms.");

    private readonly Option<double> _every = Milliseconds("--every", 200, "Pause between two Writes in ms.");

    private readonly Option<int> _queue = Number("--queue", 100, "Queue of an item.", 2, 10_000);

    private readonly Option<int> _warmUp = Number("--warm-up", 3, "Seconds before the measurement.", 0, 3600);

    private readonly Option<int> _seconds = Number("--seconds", 20, "Seconds measured.", 1, 86_400);

    public override string Name => "sampled";

    public override string Summary => "Sampling below publishing, queues above one: no value may be missing.";

    public override string Description =>
        """
        Sessions with a subscription of items whose sampling interval is shorter than the publishing interval. One more
        session writes counters to all variables, waits for the answer and then for --every, which is longer than the
        sampling interval: each change has a sampling period of its own, however slow the machine is, so that every
        value must come. Writes to the server: never point it at a plant's variables.
        Prints: values written and seen a second, notifications a message, CPU of the server (less the idle plant) a
        notification, and what was missing.
        """;

    public override IReadOnlyList<Option> Options =>
    [
        _sessions, _items, _writeTags, WriteTags.Format, WriteTags.First, _interval, _sampling, _every, _queue, _warmUp,
        _seconds,
    ];

    public override Plant PlantOf(ScenarioValues values) =>
        new() { Tags = 1, ChangesPerSecond = 0, WritableTags = values.Get(_writeTags) };

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        if (values.Get(_sampling) > values.Get(_every))
            yield return "--sampling is more than --every: two changes may fall into one period";
        if (values.Get(_queue) < 2 * values.Get(_interval) / values.Get(_every))
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"--queue does not hold the changes of two publishing intervals: {values.Get(_queue)}");
    }

    public override async Task RunAsync(RunContext context)
    {
        var (sessions, items, interval) = (context.Get(_sessions), context.Get(_items), context.Get(_interval));
        var pool = new SessionPool(context);
        await pool.OpenUpToAsync(sessions + 1);
        if (pool.Failed > 0)
            throw new InvalidOperationException("the server refused a session; see --sessions");
        var nodes = await WriteTags.FindAsync(context, pool.Sessions[0], context.Get(_writeTags));
        var first = await WriteTags.FirstValueAsync(pool.Sessions[0], nodes, context.Cancellation);
        var writer = new CountingWriter(pool.Sessions[sessions], nodes, nodes.Length, first);
        // All variables at one value before they are watched.
        await writer.WriteAsync();
        var recorder = new Recorder();
        var watchers = new WatcherPool(context, recorder)
        {
            QueueSize = (uint)context.Get(_queue),
            SamplingIntervalMs = context.Get(_sampling),
        };
        await watchers.AddAsync(
            0, sessions, n => pool.Sessions[n], n => TagSlice.Of(nodes, (long)n * items, items), interval);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        var writing = RunAsync(writer, TimeSpan.FromMilliseconds(context.Get(_every)), end.Token);
        await context.WaitAsync("warm-up", context.Get(_warmUp) + (2 * interval / 1000));
        var (from, written) = (watchers.Totals, writer.Writes);
        var window = await context.MeasureAsync("sampled", context.Get(_seconds), recorder);
        var (to, writes) = (watchers.Totals, writer.Writes - written);
        await end.CancelAsync();
        await writing;
        await context.WaitAsync("waiting for the last values", 1 + (3 * interval / 1000));
        var last = writer.LastValues[0];
        var unseen = watchers.Watchers.Sum(watcher =>
            Enumerable.Range(0, items).Count(item => watcher.Counters.LastOf((uint)item) != last));
        var final = watchers.Totals;
        await pool.CloseAsync();
        Print(context, window, from, to, writes * nodes.Length, await context.IdleCoresAsync());
        context.Report.AddFault("values whose Write was not Good", writer.Bad);
        context.Report.AddFault("items whose last value did not come", unseen);
        final.AddFaultsTo(context.Report);
    }

    /// <summary>The pause begins behind the answer: two changes of a variable are never closer.</summary>
    private static async Task RunAsync(CountingWriter writer, TimeSpan every, CancellationToken end)
    {
        while (!end.IsCancellationRequested)
        {
            await writer.WriteAsync();
            await Task.Delay(every, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private static void Print(
        RunContext context, Window window, WatcherTotals from, WatcherTotals to, long written, double idle)
    {
        var report = context.Report;
        var (values, messages) = ((double)(to.Values - from.Values), (double)(to.Messages - from.Messages));
        report.Add("values written a second", written / window.Seconds, "/s");
        report.Add("notifications received", values);
        report.Add("notifications a second", values / window.Seconds, "/s");
        report.Add("messages a second", messages / window.Seconds, "/s");
        report.Add("notifications a message", values / messages);
        report.Add(
            "server CPU a notification", 1e6 * (window.ServerCpuSeconds - (idle * window.Seconds)) / values, "µs");
        report.Add("server CPU idle (taken off)", 100 * idle, "% of a core");
        WindowRows.AddTo(report, window);
    }
}
