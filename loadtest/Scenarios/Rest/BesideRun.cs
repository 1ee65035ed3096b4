namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>Sessions of UA-TCP, first alone, then beside requests as fast as they are answered: what the requests cost
/// them shows in their lateness.</summary>
/// <param name="run">Of a server with a tag for each session.</param>
/// <param name="part">What is asked for.</param>
internal sealed class BesideRun(RunContext run, RestPart part)
{
    private const double SessionIntervalMs = 1000;

    public async Task RunAsync()
    {
        await using var beside = await SessionsBeside.StartAsync(
            run, run.Get(RestScenario.Sessions), SessionIntervalMs);
        await run.WaitAsync("sessions alone: warm-up", run.Get(RestScenario.WarmUp));
        var alone = await run.MeasureAsync("sessions alone", run.Get(RestScenario.Seconds), beside);
        run.Report.BeginColumn("sessions alone");
        run.Report.Add("server CPU", alone.ServerCores, "cores");
        beside.AddTo(run.Report);
        await RunBesideAsync(beside);
    }

    private async Task RunBesideAsync(SessionsBeside beside)
    {
        var url = run.HttpUrl ?? run.Get(RestScenario.HttpUrl);
        var target = new HttpTarget(new Uri(url), run.Server, run.Options);
        using var crowd = await RestCrowd.StartAsync(run, target, part, run.Get(RestScenario.Connections));
        await run.WaitAsync("beside sessions: warm-up", run.Get(RestScenario.WarmUp));
        var seconds = run.Get(RestScenario.Seconds);
        var asking = crowd.MeasureAsync("beside sessions: ", isCold: false, seconds);
        await Task.WhenAll(asking, beside.MeasureAsync(seconds, run.Cancellation));
        var measured = await asking;
        var faults = await crowd.EndAsync();
        var column = $"{part.Name} beside sessions";
        run.Report.BeginColumn(column);
        run.Report.Add("requests a second", measured.PerSecond, "/s");
        run.Report.Add("round trip p50", measured.RoundTrip.PercentileMs(0.5), "ms");
        run.Report.Add("round trip p99", measured.RoundTrip.PercentileMs(0.99), "ms");
        run.Report.Add("server CPU", measured.Window.ServerCores, "cores");
        run.Report.Add("driver CPU", measured.Window.DriverCores, "cores");
        run.Report.AddFault("answers that are wrong", faults.Wrong);
        run.Report.AddFault("connections lost", faults.Lost);
        await beside.EndAsync();
        beside.AddTo(run.Report);
    }
}
