using System.CommandLine;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>Clients that are gone in each state of the handshake.</summary>
internal sealed class ChurnScenario : Scenario
{
    public static readonly Option<int> Rate = Number("--rate", 100, "Connections a second.", 1, 10_000);

    public static readonly Option<int> Seconds = Number("--seconds", 5, "Of each state.", 1, 3600);

    public static readonly Option<int> AtATime = Number("--at-a-time", 64, "Connections at a time.", 1, 5000);

    public static readonly Option<int> Live = Number(
        "--live", 50, "Live sessions beside, whose every value is checked.", 1, 10_000);

    public static readonly Option<int> Back = Number(
        "--back", 60, "Seconds in which all has to be back where it was.", 1, 3600);

    public static readonly Option<int> Memory = Number(
        "--memory", 64, "Most that memory may have grown in the end, MiB.", 1, 100_000);

    public override string Name => "churn";

    public override string Summary => "Clients gone in each state of the handshake: nothing is left behind.";

    public override string Description =>
        """
        Connects at a bounded rate and resets the connection in one state of the handshake: connected, HEL sent, ACK
        received, OPN sent, OPN answered, CreateSession sent, answered, ActivateSession sent, active, subscribed. The
        handshakes are real and secured. After each state, descriptors, sessions and subscriptions of the server have
        to be back where they were (--back). Live sessions beside are checked throughout.
        Prints for each state: connections, server CPU a connection, time until all was back, what stayed, memory.
        A gateway that is started here gets short session and subscription time-outs; another server needs its own
        time-outs within --back.
        """;

    public override IReadOnlyList<Option> Options { get; } = [Rate, Seconds, AtATime, Live, Back, Memory];

    public override Plant PlantOf(ScenarioValues values) => new()
    {
        Arguments =
        [
            "--Limits:MaxSessionTimeout=00:00:10", "--Limits:MinSubscriptionLifetimeMs=1000",
            "--Limits:ActivationTimeout=00:00:10",
        ],
    };

    public override async Task RunAsync(RunContext context)
    {
        using var run = new ChurnRun(context);
        await run.RunAsync();
    }
}
