using System.CommandLine;
using Gateway.Loadtest.Scenarios.Compare;

namespace Gateway.Loadtest.Scenarios.Rest.Streams;

/// <summary>Viewers of the stream, as browsers are.</summary>
internal sealed class StreamScenario : Scenario
{
    public static readonly Option<int> Viewers = Number("--viewers", 1000, "Clients, a stream each.", 1, 10_000);

    public static readonly Option<int> Items = Number("--items", 100, "Tags of a stream.", 1, 10_000);

    public static readonly Option<int> Tags = Number(
        "--tags", 1000, "Tags of the plant, at least as many as --items.", 1, 100_000);

    public static readonly Option<double> Interval = Milliseconds("--interval", 1000, "Interval of the streams in ms.");

    public static readonly Option<double> Change =
        Milliseconds("--change", 1000, "Time between two changes of a tag in ms.");

    public static readonly Option<int> WarmUp = Number("--warm-up", 5, "Seconds before the measurement.", 1, 3600);

    public static readonly Option<int> Seconds = Number("--seconds", 30, "Seconds measured.", 1, 86_400);

    public static readonly Option<int> Newcomers = Number(
        "--newcomers", 50, "Streams opened and closed, one at a time, while the others are served.", 0, 10_000);

    public static readonly Option<int> Sessions = Number(
        "--sessions", 0, "Sessions of UA-TCP beside it, with a subscription of one item at 1 s each.", 0, 50_000);

    public static readonly Option<int> PeerViewers = Number(
        "--peer-viewers", 100, "Viewers of node-opcua behind Express; 0: it is not started.", 0, 10_000);

    public override string Name => "stream";

    public override string Summary => "Server-Sent Events of counting tags: every value, lateness, CPU, memory.";

    public override string Description =>
        """
        Viewers open a stream of the resource API each, all with so many tags. Every value is a counter: none may come
        twice or out of order. A stream takes the newest value of a tag once an interval, so where a tag changes once
        in at least two intervals (--change) none may be missing but those that the stream says it skipped. With the
        same interval as the changes, now and then two changes of a tag fall into one interval: these are counted, and
        are no failure. Beside it node-opcua's server behind Express, which writes what has changed once an interval.
        With --sessions, sessions of UA-TCP are served beside the gateway's streams: their lateness is measured without
        the streams first.
        Prints, a column for each server: the time to the first values, also of streams that come one at a time
        (--newcomers), values and events a second, lateness of events against their cycle, age of a value on arrival,
        CPU of server (also less the idle plant) and driver, memory and how much it grew over the measurement.
        """;

    public override IReadOnlyList<Option> Options { get; } =
    [
        Viewers, Items, Tags, Interval, Change, WarmUp, Seconds, Newcomers, Sessions,
        PeerViewers, RestScenario.HttpUrl,
        CompareScenario.Peers,
    ];

    public override Plant PlantOf(ScenarioValues values) => new()
    {
        Tags = values.Get(Tags),
        ChangesPerSecond = (int)Math.Ceiling(values.Get(Tags) * 1000 / values.Get(Change)),
    };

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        if (values.Get(Items) > values.Get(Tags))
            yield return "--items is above --tags";
        foreach (var error in RestScenario.ValidateUrl(values))
            yield return error;
    }

    public override Task RunAsync(RunContext context) => new StreamRun(context, this).RunAsync();
}
