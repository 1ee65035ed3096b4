using Gateway.Loadtest.Observers;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>All sockets at once, until the last has ended.</summary>
internal sealed class SlowlorisRun(RunContext run)
{
    private const int NewcomerEveryMs = 200;
    private const double Spare = 10;

    private readonly TimeProvider _time = TimeProvider.System;
    private readonly SlowKind[] _kinds = [.. SlowSocket.Kinds.Select(kind => new SlowKind(kind))];

    public async Task RunAsync()
    {
        await using var live = await LiveObserver.StartAsync(run, new LiveSettings
        {
            Run = run.Options,
            Sessions = run.Get(SlowlorisScenario.Live),
            SettleSeconds = 3,
            NewcomerEveryMs = NewcomerEveryMs,
        });
        await live.BeginAsync();
        await run.WaitAsync("before the sockets", 3);
        var peak = new MemoryPeak(run.Server);
        var meter = run.StartMeter();
        await RunSocketsAsync(peak);
        var window = meter.Stop();
        await run.WaitAsync("after the sockets", 3);
        var result = await live.EndAsync();

        var table = new ReportTable("Sockets by kind", SlowKind.Columns);
        foreach (var kind in _kinds)
            table.Rows.Add(kind.Row());
        run.Report.Tables.Add(table);
        var gone = run.Get(SlowlorisScenario.Gone);
        run.Report.Add("sockets", _kinds.Sum(kind => kind.Count));
        run.Report.Add("longest life of a socket", _kinds.Max(kind => kind.LongestSeconds), "s");
        run.Report.AddFault($"sockets there for more than {gone} s", _kinds.Sum(kind => kind.CountBeyond(gone)));
        run.Report.Add("server CPU meanwhile", window.ServerCores, "cores");
        run.Report.Add("driver CPU meanwhile", window.DriverCores, "cores");
        peak.AddTo(run.Report, run.Get(SlowlorisScenario.Sockets), run.Get(SlowlorisScenario.Memory));
        result.AddTo(run.Report);
        NewcomerCheck.AddTo(run.Report, result, run.Get(SlowlorisScenario.Newcomer));
    }

    private async Task RunSocketsAsync(MemoryPeak peak)
    {
        var count = run.Get(SlowlorisScenario.Sockets);
        var seconds = run.Get(SlowlorisScenario.OpenSeconds);
        var patience = TimeSpan.FromSeconds(run.Get(SlowlorisScenario.Gone) + Spare);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(run.Cancellation);
        var watching = peak.RunAsync(end.Token);
        var left = count;
        run.Progress.Begin("sockets that were ended", count, () => count - Volatile.Read(ref left));
        var pace = new Pace(count / (double)seconds, count, _time);
        await pace.RunAsync(seconds, async number =>
        {
            var kind = number % _kinds.Length;
            var address = number % run.Get(SlowlorisScenario.Addresses);
            var (how, life) = await SlowSocket.RunAsync(new WireTarget(run.Url), kind, address, patience, _time);
            _kinds[kind].Add(how, life);
            Interlocked.Decrement(ref left);
        }, run.Cancellation);
        await end.CancelAsync();
        await watching;
    }
}
