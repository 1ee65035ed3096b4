using System.CommandLine;
using System.Globalization;
using Gateway.Loadtest.Scenarios.Compare;

namespace Gateway.Loadtest.Scenarios.Events;

/// <summary>Events to clients with distinct filters, a burst of alarms, and many refreshes at once.</summary>
internal sealed class EventsScenario : Scenario
{
    public const string Steady = "steady";
    public const string Burst = "burst";
    public const string Refresh = "refresh";
    public const string Peer = "peer";

    public static readonly Option<int> Events = Number("--events", 20_000, "Events a second.", 1, 100_000);

    public static readonly Option<int> Clients = Number(
        "--clients", 1000, "Sessions with an event item each, in the parts steady and burst.", 1, 10_000);

    public static readonly Option<int> Filters = Number(
        "--filters", 100, "Distinct filters; each event passes one of them. Whole parts of 100.", 1, 100);

    public static readonly Option<int> Alarms = Number(
        "--alarms", 10_000, "Alarms of the burst, and retained ones of the refresh.", 1, 100_000);

    public static readonly Option<int> Refreshers = Number(
        "--refreshers", 500, "Clients that refresh at once.", 1, 10_000);

    public static readonly Option<int> Sessions = Number(
        "--sessions", 500, "Sessions beside it, with a subscription of one item at 1 s each; 0: none.", 0, 50_000);

    public static readonly Option<double> Interval = Milliseconds(
        "--interval", 1000, "Publishing interval of the event clients in ms.");

    public static readonly Option<int> PeerEvents = Number(
        "--peer-events", 100, "Events a second of node-opcua's server.", 1, 100_000);

    public static readonly Option<int> WarmUp = Number("--warm-up", 5, "Seconds before a measurement.", 1, 3600);

    public static readonly Option<int> Seconds = Number("--seconds", 20, "Seconds measured.", 1, 86_400);

    private static readonly Option<string> Parts =
        Text("--parts", $"{Steady},{Burst},{Refresh},{Peer}", "What is measured, a list.");

    public override string Name => "events";

    public override string Summary => "Events to clients with distinct filters, a burst of alarms, many refreshes.";

    public override string Description =>
        """
        The simulated plant raises --events events a second, of a hundred lines in turn. --clients sessions have one
        event item each on the Server object; the where clause of each lets the events of one in --filters lines pass,
        and each client checks the number of every event: none may be missing, come twice or be another filter's. The
        first column is the same gateway with the sessions beside and without event items: no event is made then. Its
        CPU is taken off the next one's, and its lateness stands beside. A second gateway serves as many sessions and
        never has an event: how late these are is what a busy machine does to any server.
        burst: one call makes --alarms alarms active; every client has to get each of them. refresh: --refreshers
        clients call ConditionRefresh at the same moment, with --alarms retained conditions; measured until the last
        one has its RefreshEnd. Both without a filter, each on a gateway of its own.
        peer: node-opcua's server raises --peer-events events a second to as many clients with the same filters. Run
        'npm ci' in tests/Interop/peers once. Its faults are told and fail nothing.
        """;

    public override IReadOnlyList<Option> Options { get; } =
    [
        Events, Clients, Filters, Alarms, Refreshers, Sessions, Interval, PeerEvents, Parts, WarmUp, Seconds,
        CompareScenario.Peers,
    ];

    public override bool StartsServers => true;

    public static string[] PartsOf(ScenarioValues values) =>
        values.Get(Parts).Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

    public override Plant PlantOf(ScenarioValues values) => new()
    {
        Tags = Math.Max(1, values.Get(Sessions)),
        ChangesPerSecond = Math.Max(1, values.Get(Sessions)),
    };

    /// <summary>The plant of the part steady.</summary>
    public Plant WithEvents(ScenarioValues values) => PlantOf(values) with
    {
        Arguments = [Argument("--Simulator:EventsPerSecond", values.Get(Events))],
    };

    /// <summary>The plant of the parts with alarms: with room for those of the gateway itself, too, and for all of them
    /// in the queue of each item; by default it has 1,000 places.</summary>
    public Plant WithAlarms(ScenarioValues values) => PlantOf(values) with
    {
        Arguments =
        [
            Argument("--Simulator:Alarms", values.Get(Alarms)),
            Argument("--Limits:MaxConditions", values.Get(Alarms) + 1000),
            Argument("--Limits:MaxMonitoredItemsQueueSize", values.Get(Alarms) + 100),
        ],
    };

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        foreach (var name in PartsOf(values).Except([Steady, Burst, Refresh, Peer]))
            yield return $"--parts has no {name}: {Steady}, {Burst}, {Refresh}, {Peer}";
        if (values.Get(CommonOptions.Url) is not null)
            yield return "--url: this scenario starts its gateways itself";
        if (100 % values.Get(Filters) != 0)
            yield return "--filters does not divide 100";
    }

    public override async Task RunAsync(RunContext context)
    {
        foreach (var option in Options)
            context.Report.Facts[option.Name] = context.Values.Text(option);
        await new EventsRun(context, this).RunAsync();
    }

    private static string Argument(string key, int value) =>
        string.Create(CultureInfo.InvariantCulture, $"{key}={value}");
}
