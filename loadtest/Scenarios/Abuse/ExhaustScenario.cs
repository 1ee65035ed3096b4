using System.CommandLine;
using System.Globalization;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>The caps, filled by clients that do nothing with their places.</summary>
internal sealed class ExhaustScenario : Scenario
{
    public const string Channels = "channels";
    public const string Sessions = "sessions";
    public const string BadCertificates = "bad-certificates";

    public static readonly Option<string> Flood = Text(
        "--flood", "all", $"{Channels}, {Sessions}, {BadCertificates} or all.");

    public static readonly Option<int> Seconds = Number("--seconds", 10, "Of each flood.", 1, 3600);

    public static readonly Option<int> MaxConnections = Number(
        "--max-connections", 600, "Limits:MaxConnections of a gateway that is started here.", 50, 50_000);

    public static readonly Option<int> MaxSessions = Number(
        "--max-sessions", 300, "Limits:MaxSessions of a gateway that is started here.", 50, 50_000);

    public static readonly Option<int> Percent = Number(
        "--percent", 150, "What the floods try to hold, of the cap.", 1, 1000);

    public static readonly Option<int> Rate = Number(
        "--rate", 1000, "OPN a second of the flood of bad certificates.", 1, 100_000);

    public static readonly Option<int> Addresses = Number(
        "--abuser-addresses", 50, "Source addresses that the floods come from.", 1, 60_000);

    public static readonly Option<int> Live = Number(
        "--live", 50, "Live sessions beside, whose every value is checked.", 1, 10_000);

    public static readonly Option<int> Newcomer = Number(
        "--newcomer", 1000, "Time in which a newcomer has to be active, ms.", 1, 600_000);

    public override string Name => "exhaust";

    public override string Summary =>
        "Channels without sessions, sessions never activated, bad certificates: who gets in.";

    public override string Description =>
        """
        Three floods, each beside live sessions and, five times a second, a well-behaved newcomer on another address:
        channels: secured channels without sessions, up to and beyond the cap on connections; what is closed comes
        again. sessions: CreateSession without ActivateSession, up to and beyond the cap on sessions.
        bad-certificates: OPNs, each with another certificate that is worth nothing.
        Prints for each: attempts, what they were told, what they held, server CPU, newcomers' time to active, lateness
        and losses of the live sessions; files in rejected/ where the gateway was started here.
        Exit code 1: a newcomer later than --newcomer, a live session lost, a loss; for bad-certificates at the default
        rate also more than one core.
        """;

    public override IReadOnlyList<Option> Options { get; } =
        [Flood, Seconds, MaxConnections, MaxSessions, Percent, Rate, Addresses, Live, Newcomer];

    public static IReadOnlyList<string> FloodsOf(string text) =>
        text == "all" ? [Channels, Sessions, BadCertificates] : [text];

    public override Plant PlantOf(ScenarioValues values) => new()
    {
        Arguments =
        [
            Key("MaxConnections", values.Get(MaxConnections)), Key("MaxSessions", values.Get(MaxSessions)),
            "--Pki:MaxRejectedCertificates=50",
        ],
    };

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        if (values.Get(Flood) is not (Channels or Sessions or BadCertificates or "all"))
            yield return $"--flood is unknown: {values.Get(Flood)}";
        if (values.Get(Live) > values.Get(MaxSessions) / 2)
            yield return "--live is more than half of --max-sessions: there would be no room for newcomers";
    }

    public override async Task RunAsync(RunContext context)
    {
        using var run = new ExhaustRun(context);
        foreach (var flood in FloodsOf(context.Get(Flood)))
            await run.RunAsync(flood);
    }

    private static string Key(string limit, int value) =>
        string.Create(CultureInfo.InvariantCulture, $"--Limits:{limit}={value}");
}
