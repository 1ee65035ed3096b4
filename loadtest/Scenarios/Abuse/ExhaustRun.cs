using System.Globalization;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Observers;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>One flood after the other, each a column.</summary>
internal sealed class ExhaustRun(RunContext run) : IDisposable
{
    private const byte ClientNetwork = 202;
    private const int Certificates = 20;
    private const int NewcomerEveryMs = 200;
    private const double Settle = 3;

    private readonly CertificateSet _certificates = new(Certificates, "exhaust");
    private readonly WireTarget _target = new(run.Url);

    public async Task RunAsync(string flood)
    {
        run.Report.BeginColumn(flood);
        await using var live = await LiveObserver.StartAsync(run, new LiveSettings
        {
            Run = run.Options,
            Sessions = run.Get(ExhaustScenario.Live),
            SettleSeconds = Settle,
            NewcomerEveryMs = NewcomerEveryMs,
        });
        using var fleet = new ClientFleet(run.Sessions, _certificates, ClientNetwork);
        using var running = await StartAsync(flood, fleet);
        await live.BeginAsync();
        await run.WaitAsync("before the flood", Settle);
        run.Progress.BeginSeconds($"flood of {flood}", run.Get(ExhaustScenario.Seconds));
        var meter = run.StartMeter();
        await running.RunAsync(run.Get(ExhaustScenario.Seconds), run.Cancellation);
        var window = meter.Stop();
        var held = running.Held;
        running.Dispose();
        await run.WaitAsync("after the flood", Settle);
        var result = await live.EndAsync();

        var report = run.Report;
        report.Add("attempts", running.Attempts);
        report.Add("attempts a second", running.Attempts / window.Seconds, "/s");
        report.Add("held at the end", held);
        report.Add("server CPU", window.ServerCores, "cores");
        report.Add("server CPU an attempt", 1e6 * window.ServerCpuSeconds / Math.Max(1, running.Attempts), "µs");
        report.Add("driver CPU", window.DriverCores, "cores");
        if (flood == ExhaustScenario.BadCertificates)
            CheckCertificates(window.ServerCores);
        result.AddTo(report);
        NewcomerCheck.AddTo(report, result, run.Get(ExhaustScenario.Newcomer));
        AddRefusals(flood, running);
    }

    public void Dispose() => _certificates.Dispose();

    private async Task<Flood> StartAsync(string flood, ClientFleet fleet)
    {
        var addresses = run.Get(ExhaustScenario.Addresses);
        var percent = run.Get(ExhaustScenario.Percent);
        if (flood == ExhaustScenario.Sessions)
            return new SessionFlood(
                run.Sessions, fleet, _target, run.Get(ExhaustScenario.MaxSessions) * percent / 100, addresses,
                Certificates);
        var openings = new RecordedOpening[Certificates];
        for (var i = 0; i < openings.Length; i++)
            openings[i] = await RecordedOpening.RecordAsync(
                fleet.NewClient(i, i), run.Sessions.Endpoint, run.Cancellation);
        return flood == ExhaustScenario.Channels
            ? new ChannelFlood(_target, openings, run.Get(ExhaustScenario.MaxConnections) * percent / 100, addresses)
            : new CertificateFlood(_target, openings[0], run.Get(ExhaustScenario.Rate), addresses);
    }

    /// <summary>The bounds.</summary>
    private void CheckCertificates(double cores)
    {
        const double MostCores = 1;
        if (cores > MostCores && run.Get(ExhaustScenario.Rate) <= 1000)
            run.Report.Fail(string.Create(CultureInfo.InvariantCulture, $"{cores:0.00} cores for bad certificates"));
        if (run.RejectedFolder is { } folder)
            run.Report.Add("files in rejected/", Directory.EnumerateFiles(folder).Count());
    }

    private void AddRefusals(string flood, Flood running)
    {
        var table = new ReportTable($"What the flood of {flood} was told", ["answer", "times"]);
        foreach (var (text, count) in running.Answers.OrderByDescending(pair => pair.Value).Take(20))
            table.Rows.Add([text, count.ToString("N0", CultureInfo.InvariantCulture)]);
        run.Report.Tables.Add(table);
    }
}
