using System.Globalization;
using Gateway.Loadtest.Observers;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>The rows of a storm.</summary>
internal static class StormReport
{
    /// <summary>Descriptors that come and go by themselves (the diagnostics' own session, logs).</summary>
    public const double SpareDescriptors = 10;

    public static void AddTo(Report report, StormResult result)
    {
        var arrivals = result.Field.Arrivals;
        var goodput = new Goodput(Array.ConvertAll(arrivals, arrival => arrival.Seconds));
        report.Add("storm clients", result.Plan.Clients);
        report.AddFault("clients never active", result.Plan.Clients - arrivals.Length);
        report.AddFault("storm sessions lost", result.Field.Lost);
        report.Add("time to all active", arrivals.Length == result.Plan.Clients ? goodput.Last : double.NaN, "s");
        report.Add("unloaded handshake rate", result.UnloadedRate, "/s");
        AddGoodput(report, goodput, result.UnloadedRate);
        AddTimes(report, "time to active", [.. arrivals]);
        AddTimes(report, "known clients' time to active", [.. arrivals.Where(arrival => arrival.IsKnown)]);
        AddTimes(report, "strangers' time to active", [.. arrivals.Where(arrival => !arrival.IsKnown)]);
        AddAttempts(report, result);
        result.Live.AddTo(report);
        report.Add("gateway's own publish lateness p99, at most", result.ServerLatenessP99Ms, "ms");
        report.Add("gateway's own publish lateness max, at most", result.ServerLatenessMaxMs, "ms");
        AddMemory(report, result);
        AddCpu(report, result);
        AddLeft(report, result);
    }

    /// <summary>Adds the tables that need more than one column.</summary>
    public static void AddTablesTo(Report report, StormResult result, string server)
    {
        var told = new ReportTable($"What the clients were told ({server})", ["StatusCode and reason", "times"]);
        foreach (var (text, count) in result.Field.Refusals)
            told.Rows.Add([text, count.ToString("N0", CultureInfo.InvariantCulture)]);
        if (told.Rows.Count > 0)
            report.Tables.Add(told);
        report.Tables.Add(new StormTimeline(result).AsTable($"Second by second ({server})"));
    }

    private static void AddGoodput(Report report, Goodput goodput, double unloaded)
    {
        report.Add("goodput, mean", goodput.Mean, "/s");
        report.Add("goodput, mean, of the unloaded rate", 100 * goodput.Mean / unloaded, "%");
        report.Add("goodput, first second, of the unloaded rate", 100 * goodput.First / unloaded, "%");
        report.Add("goodput, lowest full second, of the unloaded rate", 100 * goodput.LowestFull / unloaded, "%");
        report.Add("full seconds", goodput.FullSeconds);
        report.Add("full seconds below 90 % of the unloaded rate", goodput.CountBelow(0.9 * unloaded));
    }

    private static void AddTimes(Report report, string name, StormArrival[] arrivals)
    {
        if (arrivals.Length == 0)
            return;
        var times = Array.ConvertAll(arrivals, arrival => arrival.Seconds);
        report.Add($"{name} p50", Percentiles.Of(times, 0.5), "s");
        report.Add($"{name} p99", Percentiles.Of(times, 0.99), "s");
    }

    private static void AddAttempts(Report report, StormResult result)
    {
        var field = result.Field;
        report.Add("attempts a client, mean", (double)field.Attempts / result.Plan.Clients);
        report.Add("attempts a client, max", field.Arrivals.Select(arrival => arrival.Attempts).DefaultIfEmpty().Max());
        report.Add("attempts refused or given up", field.Refusals.Sum(refusal => refusal.Count));
        var hints = field.HintsMs;
        report.Add("hints given (RetryAfterMs)", hints.Length);
        if (hints.Length > 0)
        {
            report.Add("hint p50", Percentiles.Of(hints, 0.5) / 1000, "s");
            report.Add("hint max", hints[^1] / 1000, "s");
        }

        if (field.Returns is { Length: > 0 } returns)
        {
            var (busiest, mean) = StormTimeline.SpreadOf(returns);
            report.Add("obeyed hints: returns in the busiest second", busiest, "/s");
            report.Add("obeyed hints: returns a second from first to last", mean, "/s");
        }

        if (result.Plan.Silent > 0)
            report.Add("silent connections opened", result.SilentOpened);
    }

    private static void AddMemory(Report report, StormResult result)
    {
        const double Mebi = 1024 * 1024;
        var most = result.Samples.MaxBy(sample => sample.UnderWay);
        var session = (result.AllActiveMiB - result.Before.ResidentMiB) * Mebi / result.Plan.Clients;
        report.Add("server memory before", result.Before.ResidentMiB, "MiB");
        report.Add("server memory, peak", result.Samples.Max(sample => sample.ServerBytes) / Mebi, "MiB");
        report.Add("server memory, all active", result.AllActiveMiB, "MiB");
        report.Add("server memory after all left", result.After.ResidentMiB, "MiB");
        report.Add("clients waiting, most", most.UnderWay);
        report.Add("server memory then", most.ServerBytes / Mebi, "MiB");
        report.Add("clients active then", most.Active);
        var growth = most.ServerBytes - (result.Before.ResidentMiB * Mebi) - (session * most.Active);
        report.Add("server memory a waiting client then", growth / 1024 / most.UnderWay, "KiB");
        report.Add("server memory a session of the storm", session / 1024, "KiB");
    }

    private static void AddCpu(Report report, StormResult result)
    {
        report.Add("server CPU in the storm", result.Storm.ServerCores, "cores");
        report.Add("driver CPU in the storm", result.Storm.DriverCores, "cores");
        var active = result.Field.Arrivals.Length;
        report.Add("server CPU a storm session", 1000 * result.Storm.ServerCpuSeconds / active, "ms");
        report.Add("driver CPU a storm session", 1000 * result.Storm.DriverCpuSeconds / active, "ms");
        var baseline = result.Plan.Baseline;
        report.Add("server CPU a session, unloaded", 1000 * result.Unloaded.ServerCpuSeconds / baseline, "ms");
        report.Add("driver CPU a session, unloaded", 1000 * result.Unloaded.DriverCpuSeconds / baseline, "ms");
        report.Add("driver: all connects begun within", result.LaunchSeconds, "s");
        report.Add("driver CPU until then, with the handshakes begun meanwhile", result.LaunchCpuSeconds, "s");
        report.Add("server collections Gen0", result.Storm.ServerGen0);
        report.Add("server collections Gen1", result.Storm.ServerGen1);
        report.Add("server collections Gen2", result.Storm.ServerGen2);
        report.Add("server collection pauses", result.Storm.ServerPauseMs, "ms");
    }

    private static void AddLeft(Report report, StormResult result)
    {
        report.Add("time until all that the storm left was gone", result.SecondsUntilBack, "s");
        AddLeft(report, "sessions left behind", result.Before.Sessions, result.After.Sessions, 0);
        AddLeft(report, "subscriptions left behind", result.Before.Subscriptions, result.After.Subscriptions, 0);
        AddLeft(
            report, "descriptors left behind", result.Before.Descriptors, result.After.Descriptors, SpareDescriptors);
    }

    private static void AddLeft(Report report, string name, double before, double after, double spare)
    {
        report.Add(name, after - before);
        if (after - before > spare)
            report.Fail(string.Create(CultureInfo.InvariantCulture, $"{name}: {before} before, {after} after"));
    }
}
