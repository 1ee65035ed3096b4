using Gateway.Loadtest.Peers;
using Gateway.Loadtest.Reports;
using Gateway.Loadtest.Scenarios.Echo;

namespace Gateway.Loadtest.Scenarios.Compare;

/// <summary>One run: for each part first the peer, then the gateway, each freshly started and alone.</summary>
internal sealed class CompareRun(RunContext run)
{
    private const string Peer = "node-opcua";
    private const string Ours = "Gateway";
    private const int FewSessions = 4;
    private const string EchoPayloads = "20,1024,16384,65536,262144,2000000";
    private const double EchoCellMs = 500;

    private readonly string _peers = PeerFolder.Find(run.Get(CompareScenario.Peers));
    private readonly CompareTable _table = new();

    public async Task RunAsync()
    {
        run.Report.Facts["peer"] = NodeOpcuaServer.Version(_peers);
        foreach (var name in CompareScenario.PartsOf(run.Values))
        {
            var scenario = ScenarioList.All.First(scenario => scenario.Name == name);
            var theirs = await RunPeerAsync(scenario);
            var ours = await RunOursAsync(scenario);
            _table.Add(name, ours, theirs);
            foreach (var failure in ours.Failures)
                run.Report.Fail($"{Ours}, {name}: {failure}");
            foreach (var failure in theirs.Failures)
                run.Report.Note($"{Peer} failed in {name}: {failure}");
        }

        run.Report.Tables.Add(_table.AsReport(Ours, Peer));
        run.Report.Add("figures compared", _table.Comparisons.Count);
        foreach (var verdict in new[] { Verdict.Better, Verdict.Same, Verdict.Worse })
            run.Report.Add($"of them {CompareTable.TextOf(verdict)}", _table.Count(verdict));
    }

    private async Task<Report> RunPeerAsync(Scenario scenario)
    {
        run.Progress.Begin($"{scenario.Name}: starting {Peer}");
        var sessions = run.Get(CompareScenario.Sessions);
        using var peer = await NodeOpcuaServer.StartAsync(
            _peers, scenario.PlantOf(ValuesOf(scenario)), sessions, run.Cancellation);
        var options = run.Options with { Url = peer.Url, ServerPid = peer.ProcessId, GatewayDll = null };
        return await RunPartAsync(scenario, options, Peer);
    }

    private Task<Report> RunOursAsync(Scenario scenario) => RunPartAsync(scenario, run.Options, Ours);

    /// <summary>A part that a server does not bear is a failure of that server, and the others go on.</summary>
    private async Task<Report> RunPartAsync(Scenario scenario, RunOptions options, string server)
    {
        run.Progress.Say($"{scenario.Name}: {server}");
        var report = new Report(scenario.Name, options);
        try
        {
            await using var context = await run.StartPartAsync(options, scenario, ValuesOf(scenario), report);
            await scenario.RunAsync(context);
        }
        catch (Exception exception) when (!run.Cancellation.IsCancellationRequested)
        {
            report.Fail(exception.Message);
        }

        return report;
    }

    /// <summary>The run's own, but few sessions where a part needs no more, and the echo short and with one setting,
    /// which is all that the peer has.</summary>
    private ScenarioValues ValuesOf(Scenario scenario) => scenario.Name switch
    {
        "read" or "write" => run.Values.With(CompareScenario.Sessions, FewSessions),
        "changes" => run.Values.With(CompareScenario.Sessions, 1),
        "echo" => run.Values.With(EchoScenario.Batches, "65536").With(EchoScenario.Chunks, "65536")
            .With(EchoScenario.Payloads, EchoPayloads).With(EchoScenario.CellMs, EchoCellMs),
        _ => run.Values,
    };
}
