using System.CommandLine;
using System.Globalization;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Sessions opened at the rate that the server takes, each with one subscription, and every notification
/// counted; in one step or in several.</summary>
internal sealed class SessionsScenario : Scenario
{
    private const int Slice = 1000;

    private readonly Option<int> _sessions = Number("--sessions", 1000, "Sessions.", 1, 50_000);

    private readonly Option<string> _steps =
        Text("--steps", string.Empty, "Grow in steps and measure at each, e.g. 500,1000,2000,4000,10000.");

    private readonly Option<int> _items = Number("--items", 1, "Monitored items of each subscription.", 0, 10_000);

    private readonly Option<int> _tags = Number("--tags", 1000, "Tags, spread over the sessions.", 1, 1_000_000);

    private readonly Option<int> _changes =
        Number("--changes", 1000, "Changes a second of a plant started here, over all its tags.", 0, 1_000_000);

    private readonly Option<double> _interval = Milliseconds("--interval", 1000, "Publishing interval in ms.");

    private readonly Option<int> _warmUpSessions = Number(
        "--warm-up-sessions",
        500,
        "Sessions with a subscription opened and closed before anything is counted; 0: none.",
        0,
        50_000);

    private readonly Option<int> _warmUp = Number("--warm-up", 5, "Seconds before the measurement.", 0, 3600);

    private readonly Option<int> _seconds = Number("--seconds", 30, "Seconds of steady state measured.", 1, 86_400);

    public override string Name => "sessions";

    public override string Summary => "Many sessions, each with a subscription: rate, memory, nothing lost.";

    public override string Description =>
        """
        Opens sessions as fast as the server takes them, creates one subscription on each, waits, and measures the
        steady state. Before that it opens and closes some (--warm-up-sessions), so that what the server compiles and
        allocates for its first clients counts as cost of no session: rates are of the warmed server, memory is the
        growth since then. Each tag counts up by one with every change, so that every value is checked: gaps, repeats,
        order, and the sequence numbers of each subscription. With --steps the sessions grow and each step is a
        column.
        Prints: sessions a second in all and of the first and last thousand (their ratio is the slope), CPU of the
        server a session (less what the idle server takes in that time; with it in its own row) beside the machine's own
        floor for its private-key operations, memory a session without and
        with its subscription, notifications, CPU a message, lateness of messages against the publishing interval
        (p50, p99, max, drift), allocation and collections of a gateway started here, time and size of a scrape of
        /metrics, sessions lost.
        """;

    public override IReadOnlyList<Option> Options =>
        [_sessions, _steps, _items, _tags, _changes, _interval, _warmUpSessions, _warmUp, _seconds];

    public override Plant PlantOf(ScenarioValues values) =>
        new() { Tags = values.Get(_tags), ChangesPerSecond = values.Get(_changes) };

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        if (StepsOf(values).Any(step => step is < 1 or > 50_000))
            yield return $"--steps is not a list of numbers from 1 to 50000: {values.Get(_steps)}";
    }

    public override async Task RunAsync(RunContext context)
    {
        var run = new SessionsRun(context, await context.FindTagsAsync(context.Get(_tags)))
        {
            Items = context.Get(_items),
            IntervalMs = context.Get(_interval),
            WarmUpSeconds = context.Get(_warmUp),
            Seconds = context.Get(_seconds),
        };
        await run.WarmUpAsync(context.Get(_warmUpSessions));
        var steps = StepsOf(context.Values);
        List<SessionsStep> measured = [];
        foreach (var step in steps)
        {
            measured.Add(await run.GrowAsync(step));
            context.Progress.Say(string.Create(
                CultureInfo.InvariantCulture,
                $"{step:N0} sessions: {run.Pool.Rate(0, step):0} a second, {run.Pool.Lost} lost"));
        }

        await run.Pool.CloseAsync();
        var idle = await context.IdleCoresAsync();
        foreach (var step in measured)
        {
            if (steps.Length > 1)
                context.Report.BeginColumn(step.Sessions.ToString("N0", CultureInfo.InvariantCulture));
            Print(context.Report, step, idle);
        }

        context.Report.Tables.Add(BesideSpeed(context, measured, idle));
    }

    private int[] StepsOf(ScenarioValues values)
    {
        var text = values.Get(_steps);
        if (text.Length == 0)
            return [values.Get(_sessions)];
        var steps = Array.ConvertAll(
            text.Split(','), part => int.TryParse(part, CultureInfo.InvariantCulture, out var step) ? step : 0);
        Array.Sort(steps);
        return steps;
    }

    /// <summary>The cost of a start and its first sessions, with the speed of the machine in the same row.</summary>
    private ReportTable BesideSpeed(RunContext context, List<SessionsStep> steps, double idle)
    {
        var warmUp = context.Get(_warmUpSessions);
        var figures = new ScaledFigures(
            string.Create(
                CultureInfo.InvariantCulture,
                $"Beside this machine's speed, {(warmUp == 0 ? "cold" : $"after {warmUp:N0} sessions to warm up")}"),
            context.Report.SignaturesPerSecond);
        if (context.StartedServer)
            figures.Add("ready after its start", context.ReadySeconds, "s");
        foreach (var step in steps)
        {
            figures.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"server CPU of a session, {step.Sessions - step.Opened + 1:N0} to {step.Sessions:N0}"),
                CpuMsOfASession(step, idle),
                "ms");
        }

        return figures.Table;
    }

    private static double CpuMsOfASession(SessionsStep step, double idle) =>
        1000 * (step.Opening.ServerCpuSeconds - (idle * step.Opening.Seconds)) / step.Opened;

    private static void Print(Report report, SessionsStep step, double idle)
    {
        report.Add("sessions established", step.Sessions);
        report.AddFault("sessions refused", step.Refused);
        report.AddFault("sessions lost", step.Lost);
        report.Add("time to all", step.OpeningSeconds, "s");
        report.Add("rate, all", step.RateAll, "/s");
        report.Add($"rate, first {Slice:N0}", step.RateFirst, "/s");
        report.Add($"rate, last {Slice:N0}", step.RateLast, "/s");
        report.Add("slope, last to first", step.RateLast / step.RateFirst, "×");
        var cpu = CpuMsOfASession(step, idle);
        report.Add("server CPU a session", cpu, "ms");
        report.Add(
            "server CPU a session, the idle server's included",
            1000 * step.Opening.ServerCpuSeconds / step.Opened,
            "ms");
        report.Add("of the private-key floor", cpu / report.FloorMsPerSession, "×");
        report.Add("driver CPU a session", 1000 * step.Opening.DriverCpuSeconds / step.Opened, "ms");
        report.Add("server memory a session", step.SessionBytes / 1024, "KiB");
        report.Add("server memory a session with its subscription", step.SubscribedBytes / 1024, "KiB");
        report.Add("notifications received", step.Values);
        report.Add("notifications a second", step.Values / step.Steady.Seconds, "/s");
        report.Add("messages a second", step.Messages / step.Steady.Seconds, "/s");
        report.Add("lateness p50", step.LatenessP50Ms, "ms");
        report.Add("lateness p99", step.LatenessP99Ms, "ms");
        report.Add("lateness max", step.LatenessMaxMs, "ms");
        report.Add("drift over the measurement, worst", step.Totals.DriftMs, "ms");
        var busy = step.Steady.ServerCpuSeconds - (idle * step.Steady.Seconds);
        report.Add("server CPU idle (taken off below)", 100 * idle, "% of a core");
        report.Add("server CPU a message", 1e6 * busy / step.Messages, "µs");
        report.Add("server CPU a notification", 1e6 * busy / step.Values, "µs");
        report.Add("driver CPU a message", 1e6 * step.Steady.DriverCpuSeconds / step.Messages, "µs");
        report.Add("server allocated a message", step.Steady.ServerAllocatedBytes / step.Messages, "B");
        WindowRows.AddTo(report, step.Steady);
        if (step.Scrape is { } scrape)
        {
            report.Add("scrape of /metrics, median of 20", scrape.MedianMs, "ms");
            report.Add("scrape of /metrics, longest", scrape.LongestMs, "ms");
            report.Add("size of /metrics", scrape.Bytes / 1024.0, "KiB");
        }

        report.AddFault("subscriptions silent while measured", step.Silent);
        step.Totals.AddFaultsTo(report);
    }
}
