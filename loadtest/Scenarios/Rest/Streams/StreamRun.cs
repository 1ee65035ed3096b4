using System.Net.Sockets;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Peers;
using Gateway.Loadtest.Scenarios.Compare;
using static System.FormattableString;

namespace Gateway.Loadtest.Scenarios.Rest.Streams;

/// <summary>One run: the viewers of the gateway, then those of the peer.</summary>
internal sealed class StreamRun(RunContext run, StreamScenario scenario)
{
    private const int OpeningAtATime = 16;
    private const int MaxTries = 50;
    private const double IdleSeconds = 5;
    private const double SessionIntervalMs = 1000;
    private const double Megabyte = 1024 * 1024;

    /// <summary>A gateway lets 500 connections a second of one address in.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);

    private static readonly TimeSpan FirstPatience = TimeSpan.FromSeconds(30);

    public async Task RunAsync()
    {
        var url = run.HttpUrl ?? run.Get(RestScenario.HttpUrl);
        var target = new HttpTarget(new Uri(url), run.Server, run.Options);
        await using var beside = await SessionsBeside.StartAsync(
            run, run.Get(StreamScenario.Sessions), SessionIntervalMs);
        if (beside.Count > 0)
            await RunAloneAsync(beside);
        await RunAsync(target, "gateway", run.Get(StreamScenario.Viewers), beside);
        if (run.Get(StreamScenario.PeerViewers) == 0)
            return;
        var folder = PeerFolder.Find(run.Get(CompareScenario.Peers));
        run.Report.Facts["peer"] = NodeOpcuaServer.Version(folder) + ", events by Express in the same process";
        run.Progress.Begin("starting node-opcua behind Express");
        using var peer = await NodeOpcuaServer.StartAsync(
            folder, scenario.PlantOf(run.Values), 10, run.Cancellation, withHttp: true);
        using var probe = new ProcessProbe(peer.ProcessId);
        var theirs = new HttpTarget(new Uri(peer.HttpUrl!), probe, run.Options with { User = null });
        await RunAsync(theirs, "node-opcua and Express", run.Get(StreamScenario.PeerViewers));
    }

    private async Task RunAloneAsync(SessionsBeside beside)
    {
        await run.WaitAsync("sessions alone: warm-up", run.Get(StreamScenario.WarmUp));
        await run.MeasureAsync("sessions alone", run.Get(StreamScenario.Seconds), beside);
        run.Report.BeginColumn("gateway, sessions alone");
        beside.AddTo(run.Report);
    }

    /// <param name="target">The server.</param>
    /// <param name="server">Its name.</param>
    /// <param name="count">Of viewers.</param>
    /// <param name="beside">Sessions of the same server; null: none.</param>
    private async Task RunAsync(HttpTarget target, string server, int count, SessionsBeside? beside = null)
    {
        using var driver = new ProcessProbe(Environment.ProcessId);
        var idle = new Meter(target.Server, driver);
        await run.WaitAsync($"{server}: idle", IdleSeconds);
        var idleCores = idle.Stop().ServerCores;
        var recorder = new Recorder { Part = MeasurePart.Opening };
        var viewers = new List<StreamViewer>();
        var refused = await OpenAsync(target, server, count, recorder, viewers);
        recorder.Part = MeasurePart.Settling;
        await run.WaitAsync($"{server}: warm-up", run.Get(StreamScenario.WarmUp));
        run.Progress.BeginSeconds($"{server}: watching", run.Get(StreamScenario.Seconds));
        var (values, events) = (viewers.Sum(one => one.Counters.Values), viewers.Sum(one => one.Events));
        var each = viewers.ConvertAll(one => one.Events);
        var meter = new Meter(target.Server, driver);
        await Task.WhenAll(
            recorder.MeasureAsync(run.Get(StreamScenario.Seconds), run.Cancellation),
            beside?.MeasureAsync(run.Get(StreamScenario.Seconds), run.Cancellation) ?? Task.CompletedTask);
        var window = meter.Stop();
        values = viewers.Sum(one => one.Counters.Values) - values;
        events = viewers.Sum(one => one.Events) - events;
        var silent = viewers.Where((one, i) => one.Events == each[i]).Count();
        var newcomers = await ComeAsync(target, server);
        viewers.ForEach(one => one.Dispose());

        run.Report.BeginColumn(Invariant($"{server}, {count:N0} × {run.Get(StreamScenario.Items)}"));
        PrintCosts(window, idleCores, values, events, viewers);
        run.Report.Add(
            "server memory growth while measured", (window.ServerResidentBytes - meter.ServerResidentBytes) / Megabyte,
            "MiB");
        PrintTimes(recorder, viewers);
        run.Report.Add("first values of a newcomer p50", newcomers.PercentileMs(0.5), "ms");
        run.Report.Add("first values of a newcomer p99", newcomers.PercentileMs(0.99), "ms");
        WindowRows.AddTo(run.Report, window);
        PrintFaults(viewers, refused, silent);
        if (beside is not { Count: > 0 })
            return;
        await beside.EndAsync();
        beside.AddTo(run.Report);
    }

    private async Task<int> OpenAsync(
        HttpTarget target, string server, int count, Recorder recorder, List<StreamViewer> viewers)
    {
        run.Progress.Begin($"{server}: opening {count} streams");
        var refused = 0;
        var limit = new ParallelOptions { MaxDegreeOfParallelism = OpeningAtATime };
        await Parallel.ForAsync(0, count, limit, async (number, _) =>
        {
            var viewer = await TryOpenAsync(target, number, recorder);
            lock (viewers)
            {
                if (viewer is null)
                    refused++;
                else
                    viewers.Add(viewer);
            }
        });
        return refused;
    }

    /// <summary>Streams that come one at a time, beside those that are served: from the request to the first values.
    /// </summary>
    private async Task<Histogram> ComeAsync(HttpTarget target, string server)
    {
        var (first, count) = (new Histogram(), run.Get(StreamScenario.Newcomers));
        run.Progress.Begin($"{server}: {count} newcomers, one at a time");
        var recorder = new Recorder { Part = MeasurePart.Opening };
        for (var i = 0; i < count; i++)
        {
            using var viewer = await TryOpenAsync(target, i, recorder);
            if (viewer is not null)
                first.Add(viewer.FirstMs);
        }

        return first;
    }

    private async Task<StreamViewer?> TryOpenAsync(HttpTarget target, int number, Recorder recorder)
    {
        var items = run.Get(StreamScenario.Items);
        var tags = new StreamTags(run.Options, run.Get(StreamScenario.Tags), number * items, items);
        for (var tries = 1; tries <= MaxTries; tries++)
        {
            var viewer = new StreamViewer(target, tags, run.Get(StreamScenario.Interval), recorder);
            using var patience = CancellationTokenSource.CreateLinkedTokenSource(run.Cancellation);
            patience.CancelAfter(FirstPatience);
            try
            {
                await viewer.StartAsync(number, patience.Token);
                return viewer;
            }
            catch (Exception error) when (
                !run.Cancellation.IsCancellationRequested &&
                error is SocketException or IOException or OperationCanceledException)
            {
                viewer.Dispose();
                run.Report.Note($"a stream was refused: {error.Message}");
                await Task.Delay(Pause, run.Cancellation);
            }
        }

        return null;
    }

    private void PrintCosts(Window window, double idle, long values, long events, List<StreamViewer> viewers)
    {
        var report = run.Report;
        var busy = window.ServerCpuSeconds - (idle * window.Seconds);
        report.Add("streams", viewers.Count);
        report.Add("values a second", values / window.Seconds, "/s");
        report.Add("events a second", events / window.Seconds, "/s");
        report.Add("server CPU without the idle server's", busy / window.Seconds, "cores");
        report.Add("server CPU a value", 1e6 * busy / values, "µs");
        report.Add("server CPU an event", 1e6 * busy / events, "µs");
        report.Add("server allocated an event", window.ServerAllocatedBytes / events, "B");
    }

    private void PrintTimes(Recorder recorder, List<StreamViewer> viewers)
    {
        var report = run.Report;
        var first = new Histogram();
        viewers.ForEach(one => first.Add(one.FirstMs));
        report.Add("first values p50", first.PercentileMs(0.5), "ms");
        report.Add("first values p99", first.PercentileMs(0.99), "ms");
        report.Add("lateness p50", recorder.Lateness.PercentileMs(0.5), "ms");
        report.Add("lateness p99", recorder.Lateness.PercentileMs(0.99), "ms");
        report.Add("lateness max", recorder.Lateness.MaximumMs, "ms");
        report.Add("age of an event's first value, p50", recorder.Latency.PercentileMs(0.5), "ms");
        report.Add("age of an event's first value, p99", recorder.Latency.PercentileMs(0.99), "ms");
        report.Add(
            "drift over the measurement, worst",
            viewers.Select(one => Math.Abs(one.DriftMs)).DefaultIfEmpty(double.NaN).Max(), "ms");
    }

    private void PrintFaults(List<StreamViewer> viewers, int refused, int silent)
    {
        var report = run.Report;
        var untold = viewers.Sum(one => Math.Max(0, one.Counters.Missing - one.Skipped));
        report.Add("values skipped, as the streams say", viewers.Sum(one => one.Skipped));
        if (2 * run.Get(StreamScenario.Interval) <= run.Get(StreamScenario.Change))
            report.AddFault("values missing that no stream has told", untold);
        else
            report.Add("values missing, two changes within an interval", untold);
        report.AddFault("values repeated", viewers.Sum(one => one.Counters.Repeats));
        report.AddFault("values out of order", viewers.Sum(one => one.Counters.Reorders));
        report.AddFault("values that are no counter of the stream", viewers.Sum(one => one.Counters.Unknown));
        report.AddFault("tags without a value", viewers.Sum(one => (long)one.Counters.Silent));
        report.AddFault("streams refused", refused);
        report.AddFault("streams lost", viewers.Count(one => one.Lost is not null));
        report.AddFault("streams without an event while measured", silent);
        if (viewers.Find(one => one.Lost is not null) is { Lost: { } why })
            report.Note($"a stream ended: {why}");
    }
}
