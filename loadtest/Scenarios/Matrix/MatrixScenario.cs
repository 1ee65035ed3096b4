using System.CommandLine;

namespace Gateway.Loadtest.Scenarios.Matrix;

/// <summary>Sessions × subscriptions × items, until something gives.</summary>
internal sealed class MatrixScenario : Scenario
{
    public static readonly Option<string> Sessions = Text(
        "--sessions", "1,10,100,1000,2000,5000,10000", "Sessions, a list.");

    public static readonly Option<string> Subscriptions = Text(
        "--subscriptions", "1,5", "Subscriptions of a session, a list.");

    public static readonly Option<string> Items = Text("--items", "1,10,100,1000", "Items of a subscription, a list.");

    public static readonly Option<double> Interval = Milliseconds("--interval", 1000, "Publishing interval, ms.");

    public static readonly Option<int> Tags = Number("--tags", 1000, "Tags of the plant.", 1, 1_000_000);

    public static readonly Option<int> Changes = Number(
        "--changes", 1000, "Changes a second of all tags of a plant that is started here.", 1, 1_000_000);

    public static readonly Option<int> Queue = Number(
        "--queue",
        10,
        "Queue size asked for each item: room for the changes of some intervals, and a million of them within " +
        "Limits:MaxQueuedValues.",
        1,
        1000);

    public static readonly Option<int> Seconds = Number("--seconds", 10, "Length of a cell's measurement.", 1, 600);

    public static readonly Option<int> CellSeconds = Number(
        "--cell-seconds", 120, "Most that a cell may take, its sessions being opened included.", 1, 3600);

    public static readonly Option<int> Minutes = Number("--minutes", 30, "Most that the run may take.", 1, 1440);

    public static readonly Option<double> Lateness = Milliseconds(
        "--lateness", 50, "Publishing lateness at the 99th percentile up to which a cell holds, ms.");

    public static readonly Option<int> Memory = Number(
        "--memory", 8192, "Server memory up to which a cell holds, MiB.", 64, 1_000_000);

    public override string Name => "matrix";

    public override string Summary => "Sessions × subscriptions × items until something gives, and what gave.";

    public override string Description =>
        """
        For each number of subscriptions and items the sessions are stepped up, each step upon the one before, until
        something gives: a refusal (its StatusCode; a shorter queue than asked for is one), memory, CPU (server's or
        driver's), lost values, lateness, starved subscriptions, time. What lies beyond a cell that gave is not tried.
        The table is the frontier: the last cell that held, and what the next one gave way to. A cell that gives is a
        finding, not a failed run.
        """;

    public override IReadOnlyList<Option> Options { get; } =
    [
        Sessions, Subscriptions, Items, Interval, Tags, Changes, Queue, Seconds, CellSeconds, Minutes, Lateness, Memory,
    ];

    public override Plant PlantOf(ScenarioValues values) => new()
    {
        Tags = values.Get(Tags),
        ChangesPerSecond = values.Get(Changes),
    };

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        if (NumberList.TryParse(values.Get(Sessions), 1, 50_000) is null)
            yield return "--sessions is no list of numbers from 1 to 50000";
        if (NumberList.TryParse(values.Get(Subscriptions), 1, 1000) is null)
            yield return "--subscriptions is no list of numbers from 1 to 1000";
        if (NumberList.TryParse(values.Get(Items), 1, 100_000) is null)
            yield return "--items is no list of numbers from 1 to 100000";
    }

    public override Task RunAsync(RunContext context) => new MatrixRun(context).RunAsync();
}
