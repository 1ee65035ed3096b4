using System.CommandLine;

namespace Gateway.Loadtest.Scenarios.Rest.Viewers;

/// <summary>People who have the console open beside the sessions of a plant.</summary>
internal sealed class ConsoleScenario : Scenario
{
    public static readonly Option<int> Viewers = Number("--viewers", 50, "Pages that are open at one time.", 1, 2000);

    public static readonly Option<int> Sessions = Number(
        "--sessions", 1000, "Sessions of UA-TCP beside them, with a subscription of one item at 1 s each.", 0, 50_000);

    public static readonly Option<int> WarmUp = Number("--warm-up", 5, "Seconds before each measurement.", 0, 3600);

    public static readonly Option<int> Seconds = Number("--seconds", 60, "Seconds measured, of each page.", 1, 86_400);

    private static readonly Option<string> Pages = Text(
        "--pages", string.Join(',', ConsolePage.All.Select(static one => one.Name).Append(ConsolePage.Mixed)),
        "Which pages, a list; mixed: the viewers look at all of them, each at one.");

    public override string Name => "console";

    public override string Summary => "Viewers of the operator's console beside sessions: CPU a viewer, memory.";

    public override string Description =>
        """
        Each viewer asks for what a page of the console asks for while it is open, as often as it does, over connections
        of HTTP/1.1 that stay; the page of a node also has its stream. The pages are measured one after the other, all
        viewers on one page, and in the end mixed. First the sessions are measured without viewers: a viewer's CPU is
        what the gateway takes more than that. Every answer must be 200.
        Prints, a column for each page: requests and bytes a second, the gateway's CPU a viewer in percent of a core,
        the round trip, memory and its growth while measured, the lateness of the sessions.
        The real browser for an hour: GATEWAY_CONSOLE_MINUTES=60 GATEWAY_CONSOLE_SESSIONS=10000
        dotnet test -c Release tests/Interop --filter ConsoleHourTests.
        """;

    public override IReadOnlyList<Option> Options { get; } =
        [Viewers, Sessions, Pages, WarmUp, Seconds, RestScenario.HttpUrl];

    public static string[] PagesOf(ScenarioValues values) =>
        values.Get(Pages).Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

    public override Plant PlantOf(ScenarioValues values) => new() { Tags = Math.Max(1000, values.Get(Sessions)) };

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        var known = ConsolePage.All.Select(static one => one.Name).Append(ConsolePage.Mixed).ToArray();
        foreach (var name in PagesOf(values).Except(known))
            yield return $"--pages has no {name}: {string.Join(", ", known)}";
        foreach (var error in RestScenario.ValidateUrl(values))
            yield return error;
    }

    public override Task RunAsync(RunContext context) => new ConsoleRun(context).RunAsync();
}
