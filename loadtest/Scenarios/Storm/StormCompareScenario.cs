using System.CommandLine;
using Gateway.Loadtest.Scenarios.Compare;

namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>The same storm upon several servers.</summary>
internal sealed class StormCompareScenario : Scenario
{
    public const string Gateway = "gateway";
    public const string Off = "off";
    public const string Peer = "node-opcua";

    public static readonly Option<string> Servers = Text(
        "--servers",
        $"{Gateway},{Off},{Peer}",
        $"A list: {Gateway}; {Off}, the same with --Admission:Enabled=false; {Peer}.");

    /// <summary>Smaller than the storm's own, so that the peer can bear it.</summary>
    private static readonly Option<int> Clients = Number(
        StormScenario.Clients.Name, 1000, "Clients of the storm.", 1, 50_000);

    private static readonly Option<int> Live = Number(
        StormScenario.Live.Name, 200, "Sessions with a subscription that are there before.", 0, 20_000);

    private static readonly Option<int> Baseline = Number(
        StormScenario.Baseline.Name, 200, "Connects that measure the unloaded rate before the storm.", 50, 20_000);

    public override string Name => "storm-compare";

    public override string Summary => "The same storm upon the gateway, without its admission, and upon node-opcua.";

    public override string Description =>
        """
        Starts one server after the other, each alone and fresh, and lets the same storm come upon each: the gateway,
        the gateway with its admission switched off, node-opcua's server (run 'npm ci' in tests/Interop/peers once; its
        own caps are lifted). One table with a column a server, the refusals and the seconds of each below; --svg writes
        a plot of each, the server's name added to the file's. What the others lose is a note; what the gateway loses is
        exit code 1. Everything is bounded by --limit.
        """;

    public override bool StartsServers => true;

    public override IReadOnlyList<Option> Options { get; } =
    [
        Servers, CompareScenario.Peers, Clients, Live, Baseline,
        .. StormScenario.Shared.Where(option =>
            option != StormScenario.Clients && option != StormScenario.Live && option != StormScenario.Baseline),
    ];

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        foreach (var server in ServersOf(values).Where(server => server is not (Gateway or Off or Peer)))
            yield return $"--servers names no server: {server}";
        foreach (var error in StormScenario.Check(values))
            yield return error;
    }

    public override Task RunAsync(RunContext context)
    {
        var values = context.Values
            .With(StormScenario.Clients, context.Get(Clients))
            .With(StormScenario.Live, context.Get(Live))
            .With(StormScenario.Baseline, context.Get(Baseline));
        return new StormCompareRun(context, values).RunAsync();
    }

    public static string[] ServersOf(ScenarioValues values) =>
        values.Get(Servers).Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
}
