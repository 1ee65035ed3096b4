using Gateway.Loadtest.Peers;
using Gateway.Loadtest.Reports;
using Gateway.Loadtest.Scenarios.Compare;

namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>One server after the other, each with a report of its own, put side by side.</summary>
internal sealed class StormCompareRun(RunContext run, ScenarioValues values)
{
    private const string SwitchedOff = "--Admission:Enabled=false";

    /// <summary>Beside the clients and the live sessions: discovery, levels, the warm-up's.</summary>
    private const int SpareSessions = 300;

    private readonly StormScenario _scenario = new();

    public async Task RunAsync()
    {
        foreach (var server in StormCompareScenario.ServersOf(values))
        {
            run.Progress.Say($"storm upon {server}");
            var report = new Report(_scenario.Name, run.Options);
            try
            {
                await RunOneAsync(server, report);
            }
            catch (Exception exception) when (!run.Cancellation.IsCancellationRequested)
            {
                report.Fail(exception.Message);
            }

            Add(server, report);
        }
    }

    private async Task RunOneAsync(string server, Report report)
    {
        if (server == StormCompareScenario.Peer)
        {
            var folder = PeerFolder.Find(run.Get(CompareScenario.Peers));
            run.Report.Facts["peer"] = NodeOpcuaServer.Version(folder);
            var sessions = values.Get(StormScenario.Clients) + values.Get(StormScenario.Live) + SpareSessions;
            using var peer = await NodeOpcuaServer.StartAsync(
                folder, _scenario.PlantOf(values), sessions, run.Cancellation);
            var options = run.Options with { Url = peer.Url, ServerPid = peer.ProcessId, GatewayDll = null };
            await StormUponAsync(server, options, report);
            return;
        }

        var ours = server == StormCompareScenario.Off
            ? run.Options with { GatewayArguments = [.. run.Options.GatewayArguments, SwitchedOff] }
            : run.Options;
        await StormUponAsync(server, ours, report);
    }

    private async Task StormUponAsync(string server, RunOptions options, Report report)
    {
        await using var context = await run.StartPartAsync(options, _scenario, values, report);
        var result = await new StormRun(context, StormScenario.PlanOf(values)).RunAsync();
        StormReport.AddTo(report, result);
        StormReport.AddTablesTo(report, result, server);
        if (values.Get(StormScenario.Svg) is { } file)
            await StormScenario.WritePlotAsync(result, FileOf(file, server), run.Cancellation, server);
    }

    private void Add(string server, Report report)
    {
        run.Report.BeginColumn(server);
        foreach (var row in report.Rows)
        {
            foreach (var value in row.Values.Values)
                run.Report.Add(row.Name, value, row.Unit);
        }

        run.Report.Tables.AddRange(report.Tables);
        foreach (var note in report.Notes)
            run.Report.Note($"{server}: {note}");
        foreach (var failure in report.Failures)
        {
            if (server == StormCompareScenario.Gateway)
                run.Report.Failures.Add($"{server}: {failure}");
            else
                run.Report.Note($"{server} failed: {failure}");
        }
    }

    private static string FileOf(string file, string server) => Path.Combine(
        Path.GetDirectoryName(file) ?? string.Empty,
        $"{Path.GetFileNameWithoutExtension(file)}-{server}{Path.GetExtension(file)}");
}
