using System.CommandLine;
using Gateway.Loadtest.Peers;
using Gateway.Loadtest.Scenarios.Compare;

namespace Gateway.Loadtest.Scenarios.PubSub;

/// <summary>DataSets through a broker to one subscriber, beside sessions, and over an outage of the broker.</summary>
internal sealed class PubSubScenario : Scenario
{
    public const string Json = "json";
    public const string Uadp = "uadp";
    public const string Outage = "outage";
    public const string Peer = "peer";

    public static readonly Option<int> Values = Number(
        "--values", 20_000, "Changes a second, over all tags.", 1, 1_000_000);

    public static readonly Option<int> Writers = Number("--writers", 20, "DataSetWriters.", 1, 1000);

    public static readonly Option<int> Fields = Number("--fields", 100, "Tags of each, no two the same.", 1, 10_000);

    public static readonly Option<double> Interval = Milliseconds(
        "--interval", 10, "Publishing interval of the writer group in ms, whole numbers.");

    public static readonly Option<int> KeyFrames = Number(
        "--key-frames", 1000, "A key frame after so many intervals.", 1, 1_000_000);

    public static readonly Option<int> Sessions = Number(
        "--sessions", 1000, "Sessions beside it, with a subscription of one item at 1 s each; 0: none.", 0, 50_000);

    public static readonly Option<int> OutageSeconds = Number(
        "--outage", 15, "Seconds without a broker, in the part outage.", 1, 3600);

    public static readonly Option<int> WarmUp = Number("--warm-up", 5, "Seconds before a measurement.", 1, 3600);

    public static readonly Option<int> Seconds = Number("--seconds", 15, "Seconds measured.", 1, 86_400);

    private static readonly Option<string> Parts =
        Text("--parts", $"{Json},{Uadp},{Outage},{Peer}", "What is measured, a list.");

    public override string Name => "pubsub";

    public override string Summary => "DataSets over a broker: every value, latency, CPU; an outage of the broker.";

    public override string Description =>
        """
        Starts mosquitto on a free loopback port and gateways that publish --writers DataSets of --fields counting tags
        each to it; the driver subscribes to all. Each counter and each sequence number is checked: none may be missing,
        come twice or out of order. The first column is a gateway with the same plant and the same sessions that
        publishes nothing: its CPU is taken off the others', and its lateness stands beside theirs. The parts json and
        uadp publish, each from a gateway of its own. The part outage kills the broker (SIGKILL) for --outage seconds
        while the plant goes on, starts it again and waits until the store is empty; all must arrive in order. The part
        peer is a program of node-opcua and mqtt.js that subscribes to the same tags of a gateway and publishes equal
        messages: run 'npm ci' in tests/Interop/peers once. Without mosquitto nothing is measured, and the run says so.
        Prints, a column for each part: values (fields in messages) and messages a second, CPU of the publisher a value
        and values a second for each core of it, allocation a value, latency from the source timestamp to arrival (with
        the wait for the publishing interval), lateness of the sessions, and how fast an outage drains.
        """;

    public override IReadOnlyList<Option> Options { get; } =
    [
        Values, Writers, Fields, Interval, KeyFrames, Sessions, Parts, OutageSeconds, WarmUp, Seconds,
        CompareScenario.Peers,
    ];

    public override bool StartsServers => true;

    public static string[] PartsOf(ScenarioValues values) =>
        values.Get(Parts).Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

    public override Plant PlantOf(ScenarioValues values) => new()
    {
        Tags = values.Get(Writers) * values.Get(Fields),
        ChangesPerSecond = values.Get(Values),
    };

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        foreach (var name in PartsOf(values).Except([Json, Uadp, Outage, Peer]))
            yield return $"--parts has no {name}: {Json}, {Uadp}, {Outage}, {Peer}";
        if (values.Get(CommonOptions.Url) is not null)
            yield return "--url: this scenario starts its gateways itself";
        if (values.Get(Writers) * values.Get(Fields) > 100_000)
            yield return "--writers times --fields is above 100000";
        if (values.Get(Interval) != Math.Floor(values.Get(Interval)))
            yield return $"--interval is no whole number of ms: {values.Get(Interval)}";
    }

    public override async Task RunAsync(RunContext context)
    {
        if (Mosquitto.Program is null)
        {
            context.Report.Note("skipped: mosquitto is not installed (apt-get install mosquitto)");
            return;
        }

        foreach (var option in Options)
            context.Report.Facts[option.Name] = context.Values.Text(option);
        await new PubSubRun(context, this).RunAsync();
    }
}
