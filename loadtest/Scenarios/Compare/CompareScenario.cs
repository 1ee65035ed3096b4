using System.CommandLine;

namespace Gateway.Loadtest.Scenarios.Compare;

/// <summary>The same scenarios against a third-party server and against the gateway.</summary>
internal sealed class CompareScenario : Scenario
{
    public static readonly Option<string> Peers = new("--peers")
    {
        Description = "Folder of the third-party server (server.js, node_modules). Default: tests/Interop/peers.",
    };

    public static readonly Option<string> Parts = Text(
        "--parts", "read,write,sessions,notify,changes,echo", "Scenarios to compare, a list.");

    public static readonly Option<int> Seconds = Number("--seconds", 8, "Length of one measurement.", 1, 600);

    public static readonly Option<int> WarmUp = Number("--warm-up", 3, "Seconds before each measurement.", 0, 600);

    public static readonly Option<int> WarmUpSessions = Number(
        "--warm-up-sessions", 200, "Sessions that the part sessions opens and closes first.", 0, 10_000);

    public static readonly Option<int> Sessions = Number(
        "--sessions", 80, "Sessions of the parts that open many; as many as the peer bears.", 1, 2000);

    public static readonly Option<int> Tags = Number(
        "--tags", 2000, "Tags of both plants; the peer's change all at once.", 1, 100_000);

    public static readonly Option<int> Changes = Number(
        "--changes", 2000, "Changes a second of both plants.", 1, 100_000);

    public override string Name => "compare";

    public override string Summary => "node-opcua's server and the gateway side by side, by the same driver.";

    public override string Description =>
        """
        Starts node-opcua's server (an npm package; run 'npm ci' in tests/Interop/peers once) and the gateway, one after
        the other and never both at once, and runs the same scenario with the same options, policy and plant against
        each. One table puts both side by side and says where the gateway is slower; JSON beside it. The peer's own caps
        on connections, sessions and subscriptions are lifted. A figure within 5 % counts as the same.
        """;

    public override bool StartsServers => true;

    public override IReadOnlyList<Option> Options { get; } =
        [Peers, Parts, Seconds, WarmUp, WarmUpSessions, Sessions, Tags, Changes];

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        foreach (var name in PartsOf(values))
        {
            if (ScenarioList.All.All(scenario => scenario.Name != name) || name == Name)
                yield return $"--parts names no scenario: {name}";
        }
    }

    public override Task RunAsync(RunContext context) => new CompareRun(context).RunAsync();

    public static string[] PartsOf(ScenarioValues values) =>
        values.Get(Parts).Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
}
