using System.Net.Sockets;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Machine;
using static System.FormattableString;

namespace Gateway.Loadtest.Scenarios.Rest.Viewers;

/// <summary>One run: the sessions alone, then the viewers of each page beside them.</summary>
internal sealed class ConsoleRun(RunContext run)
{
    private const int MaxTries = 50;
    private const double SessionIntervalMs = 1000;
    private const double Megabyte = 1024 * 1024;

    /// <summary>Of a core; a viewer that costs more is told.</summary>
    private const double Budget = 0.01;

    /// <summary>A gateway lets 500 connections a second of one address in.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);

    public async Task RunAsync()
    {
        var url = run.HttpUrl ?? run.Get(RestScenario.HttpUrl);
        var target = new HttpTarget(new Uri(url), run.Server, run.Options);
        await using var beside = await SessionsBeside.StartAsync(
            run, run.Get(ConsoleScenario.Sessions), SessionIntervalMs);
        await run.WaitAsync("sessions alone: warm-up", run.Get(ConsoleScenario.WarmUp));
        var alone = await run.MeasureAsync("sessions alone", run.Get(ConsoleScenario.Seconds), beside);
        run.Report.BeginColumn("no viewer");
        WindowRows.AddTo(run.Report, alone);
        if (beside.Count > 0)
            beside.AddTo(run.Report);
        foreach (var page in ConsoleScenario.PagesOf(run.Values))
            await RunPageAsync(target, page, alone.ServerCores, beside);
        await beside.EndAsync();
        beside.AddLossesTo(run.Report);
    }

    private async Task RunPageAsync(HttpTarget target, string name, double aloneCores, SessionsBeside beside)
    {
        var viewers = new List<ConsoleViewer>();
        try
        {
            await OpenAsync(target, name, viewers);
            await run.WaitAsync($"{name}: warm-up", run.Get(ConsoleScenario.WarmUp));
            var roundTrip = new Histogram();
            viewers.ForEach(one => one.RoundTrip = roundTrip);
            var (requests, bytes) = (viewers.Sum(static one => one.Requests), viewers.Sum(static one => one.Bytes));
            var meter = run.StartMeter();
            run.Progress.BeginSeconds($"{name}: watching", run.Get(ConsoleScenario.Seconds));
            await beside.MeasureAsync(run.Get(ConsoleScenario.Seconds), run.Cancellation);
            var window = meter.Stop();
            requests = viewers.Sum(static one => one.Requests) - requests;
            bytes = viewers.Sum(static one => one.Bytes) - bytes;
            Print(name, viewers, window, aloneCores, requests, bytes, roundTrip);
            run.Report.Add(
                "server memory growth while measured",
                (window.ServerResidentBytes - meter.ServerResidentBytes) / Megabyte, "MiB");
            WindowRows.AddTo(run.Report, window);
            if (beside.Count > 0)
                beside.AddTo(run.Report);
        }
        finally
        {
            foreach (var viewer in viewers)
                await viewer.DisposeAsync();
        }
    }

    private async Task OpenAsync(HttpTarget target, string name, List<ConsoleViewer> viewers)
    {
        var count = run.Get(ConsoleScenario.Viewers);
        run.Progress.Begin($"{name}: opening {count} pages");
        for (var i = 0; i < count; i++)
        {
            var page = name == ConsolePage.Mixed
                ? ConsolePage.All[i % ConsolePage.All.Count]
                : ConsolePage.All.Single(one => one.Name == name);
            viewers.Add(await OpenAsync(target, page, i, (double)i / count));
        }
    }

    private async Task<ConsoleViewer> OpenAsync(HttpTarget target, ConsolePage page, int number, double share)
    {
        for (var tries = 1; ; tries++)
        {
            var viewer = new ConsoleViewer(target, page, number);
            try
            {
                await viewer.StartAsync(share, run.Cancellation);
                return viewer;
            }
            catch (SocketException) when (tries < MaxTries)
            {
                await viewer.DisposeAsync();
                await Task.Delay(Pause, run.Cancellation);
            }
        }
    }

    private void Print(
        string name, List<ConsoleViewer> viewers, Window window, double aloneCores, long requests, long bytes,
        Histogram roundTrip)
    {
        var report = run.Report;
        var each = (window.ServerCores - aloneCores) / viewers.Count;
        report.BeginColumn(Invariant($"{name}, {viewers.Count}"));
        report.Add("viewers", viewers.Count);
        report.Add("requests a second", requests / window.Seconds, "/s");
        report.Add("bytes a second", bytes / window.Seconds / 1000, "kB/s");
        report.Add("server CPU a viewer", 100 * each, "% of a core");
        report.Add("server CPU a request", 1e6 * each * viewers.Count * window.Seconds / requests, "µs");
        report.Add("round trip p50", roundTrip.PercentileMs(0.5), "ms");
        report.Add("round trip p99", roundTrip.PercentileMs(0.99), "ms");
        report.AddFault("answers that are not 200", viewers.Sum(static one => one.Wrong));
        report.AddFault("pages lost", viewers.Count(static one => one.Lost is not null));
        if (viewers.Find(static one => one.Lost is not null) is { Lost: { } why })
            report.Note($"{name}: a connection ended: {why}");
        if (each > Budget)
            report.Note(Invariant($"{name}: a viewer takes {100 * each:0.00} % of a core, above {100 * Budget:0} %"));
    }
}
