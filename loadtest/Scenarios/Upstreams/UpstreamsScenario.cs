using System.CommandLine;

namespace Gateway.Loadtest.Scenarios.Upstreams;

/// <summary>A gateway in front of many servers, which are processes of their own.</summary>
internal sealed class UpstreamsScenario : Scenario
{
    public const string Steady = "steady";
    public const string Reconnect = "reconnect";
    public const string Mirror = "mirror";

    public static readonly Option<string> Parts = Text(
        "--parts", $"{Steady},{Reconnect},{Mirror}", $"A list of {Steady}, {Reconnect} and {Mirror}.");

    public static readonly Option<int> Upstreams = Number("--upstreams", 20, "Servers behind the gateway.", 1, 100);

    public static readonly Option<int> Items = Number(
        "--items", 10_000, "Items of each, of as many tags; each changes once a second.", 1, 100_000);

    public static readonly Option<double> Interval = Milliseconds("--interval", 1000, "Publishing interval in ms.");

    public static readonly Option<double> UpstreamInterval = Milliseconds(
        "--upstream-interval", 250, "The gateway's own publishing interval at the servers in ms, at least 10.");

    public static readonly Option<int> WarmUp = Number("--warm-up", 10, "Seconds before the measurement.", 0, 3600);

    public static readonly Option<int> Seconds = Number("--seconds", 60, "Seconds measured.", 1, 86_400);

    public static readonly Option<int> MirrorNodes = Number(
        "--mirror-nodes", 100_000, "Tags of the server that is mirrored.", 100, 1_000_000);

    public static readonly Option<int> Settle = Number(
        "--settle", 10, "Seconds before memory is looked at.", 0, 600);

    public override string Name => "upstreams";

    public override string Summary =>
        "20 servers behind the gateway, 10,000 items each: CPU, latency, reconnect, mirror.";

    public override string Description =>
        """
        Starts the servers, each a gateway with its simulated plant in a process of its own, and a gateway in front of
        them (SecurityPolicy None between them: it is not about keys).
        steady: a session for each server watches all its tags through the gateway; every value is checked.
        Latency is from the server's source timestamp to the arrival at the client, by the wall clock of one machine.
        It has the wait for two publishing cycles in it; a row says how far p99 lies beyond both intervals.
        reconnect: the first server is killed and started again; the time from its first connection to the last item.
        mirror: a server with many tags is browsed by a fresh gateway; memory beside that of local nodes.
        Budgets: 1 core; 5 ms; 3 s; 20 s and 200 bytes a node beyond a local one. What is above one is a note.
        """;

    public override bool StartsServers => true;

    public override IReadOnlyList<Option> Options { get; } =
        [Parts, Upstreams, Items, Interval, UpstreamInterval, WarmUp, Seconds, MirrorNodes, Settle];

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        foreach (var part in PartsOf(values).Where(static part => part is not (Steady or Reconnect or Mirror)))
            yield return $"--parts names no part: {part}";
        if (values.Get(UpstreamInterval) < 10)
            yield return "--upstream-interval is below 10";
    }

    public override async Task RunAsync(RunContext context)
    {
        var parts = PartsOf(context.Values);
        if (parts.Contains(Steady) || parts.Contains(Reconnect))
            await new ServedRun(context).RunAsync(parts.Contains(Steady), parts.Contains(Reconnect));
        if (parts.Contains(Mirror))
            await new MirrorRun(context).RunAsync();
    }

    /// <summary>A budget is no check: machines differ.</summary>
    public static void NoteAbove(RunContext context, string what, double value, double budget, string unit)
    {
        if (value > budget)
            context.Report.Note(string.Create(
                System.Globalization.CultureInfo.InvariantCulture,
                $"above the budget: {what} {value:0.##} {unit}, not {budget:0.##}"));
    }

    private static string[] PartsOf(ScenarioValues values) =>
        values.Get(Parts).Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
}
