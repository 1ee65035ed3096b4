using System.CommandLine;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>One client that takes all that it can get, beside many that behave.</summary>
internal sealed class FairnessScenario : Scenario
{
    public const string Connects = "connects";
    public const string Sessions = "sessions";
    public const string Requests = "requests";

    public static readonly Option<string> Abuser = Text(
        "--abuser", "all", $"{Connects}, {Sessions}, {Requests} or all.");

    public static readonly Option<int> Good = Number("--good", 100, "Good clients.", 1, 5000);

    public static readonly Option<int> Stay = Number(
        "--stay", 2000, "How long a good client reads before it leaves and comes again, ms.", 1, 600_000);

    public static readonly Option<int> Away = Number(
        "--away", 1000, "How long it stays away, ms; half of it to one and a half.", 1, 600_000);

    public static readonly Option<int> ReadEvery = Number("--read-every", 100, "Between its Reads, ms.", 1, 60_000);

    public static readonly Option<int> Parallel = Number(
        "--parallel", 64, "Connections or requests of the abuser under way at a time.", 1, 5000);

    public static readonly Option<int> Seconds = Number("--seconds", 10, "With and without the abuser.", 1, 3600);

    public override string Name => "fairness";

    public override string Summary => "One abuser beside a hundred good clients: what he costs them.";

    public override string Description =>
        """
        Good clients, each with a certificate and an address of its own, connect, read for a while, leave and come
        again. One abuser with one certificate and one address then does one of three things, in turn:
        connects: opens channels over many connections at once and drops each as soon as it is open. sessions: creates
        sessions and never activates them. requests: floods its one session with Reads.
        Prints without and with each: good clients' time to active and the latency of their Reads, how many became
        active a second; what the abuser got, what it was told, and its share of the handshakes.
        Exit code 1: a good client that is not active within 30 s, or whose session is lost.
        """;

    public override IReadOnlyList<Option> Options { get; } =
        [Abuser, Good, Stay, Away, ReadEvery, Parallel, Seconds];

    public static IReadOnlyList<string> AbusersOf(string text) =>
        text == "all" ? [Connects, Sessions, Requests] : [text];

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        if (values.Get(Abuser) is not (Connects or Sessions or Requests or "all"))
            yield return $"--abuser is unknown: {values.Get(Abuser)}";
    }

    public override async Task RunAsync(RunContext context)
    {
        using var run = new FairnessRun(context);
        await run.RunAsync();
    }
}
