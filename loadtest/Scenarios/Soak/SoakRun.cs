using System.Globalization;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Soak;

/// <summary>One run: good sessions, visitors, a look each period, and a look when the visitors are gone.</summary>
internal sealed class SoakRun(RunContext run)
{
    /// <summary>Below these a growth is noise whatever its percentage.</summary>
    private const double LeastMemoryMiB = 8;
    private const double LeastDescriptors = 10;
    private const double LeastThreads = 4;

    /// <summary>Descriptors that a runtime may open for itself while it runs.</summary>
    private const double SpareDescriptors = 10;

    private static readonly TimeSpan VisitorTimeout = TimeSpan.FromSeconds(10);

    /// <summary>Session time-out, subscription lifetime, the server's write deadline, and some.</summary>
    private static readonly TimeSpan LeavingTime = TimeSpan.FromSeconds(60);

    private readonly SoakClock _clock = new(run.Get(SoakScenario.Minutes), run.Get(SoakScenario.WarmUp));
    private readonly SoakCounts _counts = new();
    private readonly Growth _memory = new();
    private readonly Growth _descriptors = new();
    private readonly Growth _threads = new();
    private readonly ReportTable _table = new(
        "Each period, at its end",
        [
            "minute", "memory MiB", "descriptors", "threads", "sessions", "subscriptions", "gen 0, 1, 2",
            "allocated MB/s", "heap MiB", "server cores", "good values/s", "visits",
        ]);

    public async Task RunAsync()
    {
        var tags = await run.FindTagsAsync(run.Get(SoakScenario.Tags));
        await using var good = new GoodSessions();
        run.Progress.Begin("opening the good sessions");
        await good.OpenAsync(
            run, run.Get(SoakScenario.Sessions), run.Get(SoakScenario.Items), run.Get(SoakScenario.Interval), tags);
        await run.WaitAsync("letting them settle", 3);
        var before = await ServerLevels.ReadAsync(run, good.First);
        await RunVisitorsAsync(good);
        var after = await AwaitLeavingAsync(good, before);

        good.AddTo(run.Report);
        AddGrowth("memory", _memory, LeastMemoryMiB, "MiB");
        AddGrowth("descriptors", _descriptors, LeastDescriptors, string.Empty);
        AddGrowth("threads", _threads, LeastThreads, string.Empty);
        AddLeft("sessions left behind", before.Sessions, after.Sessions, 0);
        AddLeft("subscriptions left behind", before.Subscriptions, after.Subscriptions, 0);
        AddLeft("descriptors left behind", before.Descriptors, after.Descriptors, SpareDescriptors);
        run.Report.Tables.Add(_table);
        run.Report.Tables.Add(Visits());
    }

    private async Task RunVisitorsAsync(GoodSessions good)
    {
        var options = run.Options with { SessionTimeout = VisitorTimeout };
        using var sessions = await SessionFactory.CreateAsync(options, run.Sessions.Url, run.Cancellation);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(run.Cancellation);
        var seed = run.Get(SoakScenario.Seed);
        var visitors = new Task[run.Get(SoakScenario.Visitors)];
        for (var i = 0; i < visitors.Length; i++)
            visitors[i] = new Visitor(sessions, new Random(seed + i), _counts).RunAsync(end.Token);
        for (var period = 1; period <= _clock.Periods; period++)
            await LookAsync(good, period);
        await end.CancelAsync();
        run.Progress.Begin("the visitors leave");
        await Task.WhenAll(visitors);
    }

    private async Task LookAsync(GoodSessions good, int period)
    {
        var (values, visits) = (good.Values, _counts.Total);
        var window = await run.MeasureAsync($"period {period} of {_clock.Periods}", _clock.Period.TotalSeconds);
        good.Look();
        var levels = await ServerLevels.ReadAsync(run, good.First);
        _memory.Add(levels.ResidentMiB);
        _descriptors.Add(levels.Descriptors);
        _threads.Add(levels.Threads);
        _table.Rows.Add(
        [
            Text(period * _clock.Period.TotalMinutes, "0.0"), Text(levels.ResidentMiB, "0.0"),
            Text(levels.Descriptors, "0"), Text(levels.Threads, "0"), Text(levels.Sessions, "0"),
            Text(levels.Subscriptions, "0"), Collections(window),
            Text(window.ServerAllocatedMegabytesPerSecond, "0.00"),
            Text(window.ServerHeapBytes / 1024 / 1024, "0.0"), Text(window.ServerCores, "0.00"),
            Text((good.Values - values) / window.Seconds, "N0"), Text(_counts.Total - visits, "0"),
        ]);
    }

    /// <summary>Until all is as it was, or the time for it is over.</summary>
    private async Task<ServerLevels> AwaitLeavingAsync(GoodSessions good, ServerLevels before)
    {
        var since = TimeProvider.System.GetTimestamp();
        while (true)
        {
            await run.WaitAsync("what the visitors left has to go", 2);
            var now = await ServerLevels.ReadAsync(run, good.First);
            if (!(now.Sessions > before.Sessions || now.Subscriptions > before.Subscriptions ||
                now.Descriptors > before.Descriptors) || TimeProvider.System.GetElapsedTime(since) > LeavingTime)
            {
                var seconds = TimeProvider.System.GetElapsedTime(since).TotalSeconds;
                run.Report.Add("time until what visitors left was gone", seconds, "s");
                return now;
            }
        }
    }

    private void AddGrowth(string name, Growth growth, double least, string unit)
    {
        var warmUp = _clock.WarmUpPeriods;
        run.Report.Add($"{name}: growth after the warm-up", growth.Percent(warmUp), "%");
        run.Report.Add($"{name}: growth, absolute", growth.Absolute(warmUp), unit);
        var bound = run.Get(SoakScenario.GrowthPercent);
        if (growth.IsBeyond(warmUp, bound, least))
            run.Report.Fail(string.Create(
                CultureInfo.InvariantCulture, $"{name} grew by {growth.Percent(warmUp):0.0} %, more than {bound} %"));
    }

    private void AddLeft(string name, double before, double after, double spare)
    {
        run.Report.Add(name, after - before);
        if (after - before > spare)
            run.Report.Fail(string.Create(CultureInfo.InvariantCulture, $"{name}: {before} before, {after} after"));
    }

    private ReportTable Visits()
    {
        var table = new ReportTable("Visits", ["what", "done", "refused"]);
        foreach (var (act, done, refusals) in _counts.All())
            table.Rows.Add([act.ToString(), Text(done, "N0"), refusals]);
        return table;
    }

    private static string Collections(Window window) =>
        $"{Text(window.ServerGen0, "0")}, {Text(window.ServerGen1, "0")}, {Text(window.ServerGen2, "0")}";

    private static string Text(double value, string format) =>
        double.IsFinite(value) ? value.ToString(format, CultureInfo.InvariantCulture) : "n/a";
}
