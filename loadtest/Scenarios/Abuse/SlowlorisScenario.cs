using System.CommandLine;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>Thousands of sockets that begin and say no more.</summary>
internal sealed class SlowlorisScenario : Scenario
{
    public static readonly Option<int> Sockets = Number("--sockets", 10_000, "Sockets, all at once.", 1, 50_000);

    public static readonly Option<int> OpenSeconds = Number(
        "--open-seconds", 2, "The last one connects after this.", 1, 600);

    public static readonly Option<int> Addresses = Number(
        "--abuser-addresses", 100, "Source addresses that they come from.", 1, 60_000);

    public static readonly Option<int> Live = Number(
        "--live", 200, "Live sessions beside, whose every value is checked.", 1, 10_000);

    public static readonly Option<int> Gone = Number(
        "--gone", 20, "Seconds after its connect when the server must have ended a socket.", 1, 600);

    public static readonly Option<int> Newcomer = Number(
        "--newcomer", 1000, "Time in which a newcomer has to be active, ms.", 1, 600_000);

    public static readonly Option<int> Memory = Number(
        "--memory", 100, "Most that memory may grow meanwhile, MiB.", 1, 100_000);

    public override string Name => "slowloris";

    public override string Summary => "Thousands of sockets that begin and say no more: how soon they are gone.";

    public override string Description =>
        """
        Opens sockets of four kinds in equal numbers: nothing, one byte, half a HEL, HEL and nothing more. Each waits
        until the server ends it. Live sessions and, five times a second, a newcomer are looked at meanwhile, from
        other addresses.
        Prints by kind: how long a socket lived and how it ended; the server's memory and CPU; newcomers' time to
        active; lateness and losses of the live sessions.
        Exit code 1: a socket that lives longer than --gone, a newcomer later than --newcomer, memory beyond --memory,
        a loss.
        """;

    public override IReadOnlyList<Option> Options { get; } =
        [Sockets, OpenSeconds, Addresses, Live, Gone, Newcomer, Memory];

    public override Task RunAsync(RunContext context) => new SlowlorisRun(context).RunAsync();
}
