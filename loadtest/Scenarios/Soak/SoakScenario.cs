using System.CommandLine;

namespace Gateway.Loadtest.Scenarios.Soak;

/// <summary>Good sessions beside visitors that come, misbehave and go, for as long as asked.</summary>
internal sealed class SoakScenario : Scenario
{
    public static readonly Option<double> Minutes = Positive("--minutes", 10, "Length of the run.");

    public static readonly Option<double> WarmUp = Positive(
        "--warm-up", 3, "Minutes before growth is looked at; at most half the run counts.");

    public static readonly Option<double> GrowthPercent = Positive(
        "--growth", 10, "Most that memory, descriptors and threads may grow after the warm-up, %. 2 for hours.");

    public static readonly Option<int> Sessions = Number(
        "--sessions", 20, "Good sessions, whose every value is checked.", 1, 10_000);

    public static readonly Option<int> Items = Number("--items", 10, "Items of each of them.", 1, 1000);

    public static readonly Option<int> Visitors = Number("--visitors", 10, "Visitors at a time.", 0, 500);

    public static readonly Option<double> Interval = Milliseconds(
        "--interval", 250, "Publishing interval of the good sessions, ms.");

    public static readonly Option<int> Tags = Number("--tags", 1000, "Tags of the plant.", 1, 1_000_000);

    public static readonly Option<int> Changes = Number(
        "--changes", 2000, "Changes a second of a plant that is started here.", 1, 1_000_000);

    public static readonly Option<int> Seed = Number(
        "--seed", 1, "Of the visitors' choices; equal seeds choose equally.", 0, int.MaxValue);

    public override string Name => "soak";

    public override string Summary => "Hours of churn beside good sessions: nothing lost, nothing left behind.";

    public override string Description =>
        """
        Good sessions watch counters and check every value. Beside them visitors come and go: some stay and close in
        order, some are cut off, open half a connection, flood the server with Modify, SetMonitoringMode and Delete,
        stop reading for up to 12 s, or transfer a subscription. What visitors are refused is listed and no fault.
        A line a minute: memory, descriptors, threads, collections, allocation, sessions and subscriptions by the
        server's own diagnostics. At the end the visitors leave, and what they left behind must go with its time-outs.
        Exit code 1 on any loss by a good session, on growth beyond --growth, and on anything left behind.
        """;

    public override IReadOnlyList<Option> Options { get; } =
        [Minutes, WarmUp, GrowthPercent, Sessions, Items, Visitors, Interval, Tags, Changes, Seed];

    public override Plant PlantOf(ScenarioValues values) => new()
    {
        Tags = values.Get(Tags),
        ChangesPerSecond = values.Get(Changes),
    };

    public override Task RunAsync(RunContext context) => new SoakRun(context).RunAsync();

    private static Option<double> Positive(string name, double value, string description)
    {
        var option = new Option<double>(name) { Description = description, DefaultValueFactory = _ => value };
        option.Validators.Add(result =>
        {
            if (result.Tokens.Count > 0 && !(result.GetValueOrDefault<double>() is > 0 and <= 100_000))
                result.AddError($"{name} is not between 0 and 100000");
        });
        return option;
    }
}
