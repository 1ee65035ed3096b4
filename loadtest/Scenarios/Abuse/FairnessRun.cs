using System.Globalization;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>The good clients alone, then beside each abuser; a column each.</summary>
internal sealed class FairnessRun(RunContext run) : IDisposable
{
    private const byte GoodNetwork = 203;
    private const byte AbuserNetwork = 204;
    private const double WarmUp = 4;

    private readonly CertificateSet _certificates = new(run.Get(FairnessScenario.Good), "good");
    private readonly CertificateSet _abuser = new(1, "abuser");
    private readonly WireTarget _target = new(run.Url);

    public async Task RunAsync()
    {
        using var fleet = new ClientFleet(run.Sessions, _certificates, GoodNetwork);
        using var abusers = new ClientFleet(run.Sessions, _abuser, AbuserNetwork);
        var good = new GoodClients(run, fleet, _certificates.Count);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(run.Cancellation);
        var running = good.RunAsync(end.Token);
        await run.WaitAsync("the good clients come", WarmUp);
        await MeasureAsync("no abuser", good, null);
        foreach (var kind in FairnessScenario.AbusersOf(run.Get(FairnessScenario.Abuser)))
        {
            using var abuser = await StartAsync(kind, abusers);
            await MeasureAsync(kind, good, abuser);
            AddAnswers(kind, abuser);
            abuser.Dispose();
            await run.WaitAsync("the abuser has left", WarmUp);
        }

        await end.CancelAsync();
        run.Progress.Begin("the good clients leave");
        await running;
    }

    public void Dispose()
    {
        _certificates.Dispose();
        _abuser.Dispose();
    }

    private async Task<Flood> StartAsync(string kind, ClientFleet abusers)
    {
        var parallel = run.Get(FairnessScenario.Parallel);
        if (kind == FairnessScenario.Sessions)
            return new SessionFlood(run.Sessions, abusers, _target, int.MaxValue, addresses: 1, certificates: 1);
        if (kind == FairnessScenario.Requests)
            return new RequestFlood(
                await abusers.ConnectAsync(abusers.NewClient(0, 0), run.Cancellation), parallel);
        var opening = await RecordedOpening.RecordAsync(
            abusers.NewClient(0, 0), run.Sessions.Endpoint, run.Cancellation);
        return new ConnectFlood(_target, opening, parallel);
    }

    private async Task MeasureAsync(string column, GoodClients good, Flood? abuser)
    {
        var seconds = run.Get(FairnessScenario.Seconds);
        var counts = new GoodCounts();
        good.Counts = counts;
        run.Progress.BeginSeconds(column, seconds);
        var meter = run.StartMeter();
        if (abuser is null)
            await Task.Delay(TimeSpan.FromSeconds(seconds), run.Cancellation);
        else
            await abuser.RunAsync(seconds, run.Cancellation);
        var window = meter.Stop();
        good.Counts = null;

        var report = run.Report;
        report.BeginColumn(column);
        counts.AddTo(report, window.Seconds);
        if (abuser is not null)
        {
            report.Add("abuser: attempts a second", abuser.Attempts / window.Seconds, "/s");
            report.Add("abuser: served a second", abuser.Served / window.Seconds, "/s");
            if (abuser is not RequestFlood)
                report.Add(
                    "abuser: share of the handshakes",
                    100.0 * abuser.Served / Math.Max(1, abuser.Served + counts.Activations),
                    "%");
        }

        report.Add("server CPU", window.ServerCores, "cores");
        report.Add("driver CPU", window.DriverCores, "cores");
    }

    private void AddAnswers(string kind, Flood abuser)
    {
        var table = new ReportTable($"What the abuser ({kind}) was told", ["answer", "times"]);
        foreach (var (text, count) in abuser.Answers.OrderByDescending(pair => pair.Value).Take(20))
            table.Rows.Add([text, count.ToString("N0", CultureInfo.InvariantCulture)]);
        run.Report.Tables.Add(table);
    }
}
