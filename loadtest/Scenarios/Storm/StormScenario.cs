using System.CommandLine;
using System.Globalization;
using Gateway.Loadtest.Observers;

namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>Thousands of clients at once upon a server that serves others.</summary>
internal sealed class StormScenario : Scenario
{
    public static readonly Option<int> Clients = Number("--clients", 10_000, "Clients of the storm.", 1, 50_000);

    public static readonly Option<int> Live = Number(
        "--live", 2000, "Sessions with a subscription that are there before and must not notice.", 0, 20_000);

    public static readonly Option<int> Items = Number("--items", 1, "Items of each live session.", 1, 1000);

    public static readonly Option<double> Interval = Milliseconds(
        "--interval", 1000, "Publishing interval of the live sessions, ms.");

    public static readonly Option<int> Tags = Number(
        "--tags", 1000, "Tags of the plant, each changing once a second.", 1, 100_000);

    public static readonly Option<string> Behaviour = Text(
        "--behaviour", "mixed", "What refused clients do: obey the hint, ignore it (come back at once), or mixed.");

    public static readonly Option<int> Silent = Number(
        "--silent", 0, "Connections beside them that say nothing, or only HEL, and come again when closed.", 0, 20_000);

    public static readonly Option<int> Certificates = Number(
        "--certificates", 50, "Different client certificates of the storm.", 1, 50_000);

    public static readonly Option<double> Known = Between(
        "--known", 0.8, 0, 1, "Share of the clients whose certificate was active before the storm.");

    public static readonly Option<int> Addresses = Number(
        "--addresses", 2000, "Source addresses of the storm (loopback only).", 1, 50_000);

    public static readonly Option<double> Patience = Between(
        "--patience", 10, 0.1, 600, "Seconds that a client gives one attempt; then it drops the connection.");

    public static readonly Option<double> Backoff = Between(
        "--backoff", 1, 0.01, 600, "Seconds (half to one and a half) that an obedient client waits without a hint.");

    public static readonly Option<bool> Subscribe = new("--subscribe")
    {
        Description = "Each storm client also creates a subscription of one item before it counts as active.",
    };

    public static readonly Option<int> Baseline = Number(
        "--baseline", 1000, "Connects that measure the unloaded rate before the storm.", 50, 20_000);

    public static readonly Option<double> Within = Between(
        "--within", 0, 0, 600, "Seconds over which the first connects are spread; 0: at once.");

    public static readonly Option<double> Limit = Between(
        "--limit", 180, 1, 3600, "Seconds after which who is not active has failed.");

    public static readonly Option<double> Hold = Between("--hold", 5, 0, 600, "Seconds that all stay at the end.");

    public static readonly Option<int> Newcomer = Number(
        "--newcomer", 0, "A well-behaved newcomer every so many ms, measured apart; 0: none.", 0, 60_000);

    public static readonly Option<string> Svg = new("--svg")
    {
        Description = "Also write the plot over time to this file.",
    };

    public static IReadOnlyList<Option> Shared { get; } =
    [
        Clients, Live, Items, Interval, Tags, Behaviour, Silent, Certificates, Known, Addresses, Patience, Backoff,
        Subscribe, Baseline, Within, Limit, Hold, Newcomer, Svg,
    ];

    public override string Name => "storm";

    public override string Summary => "Thousands of clients at once upon live sessions that must not notice.";

    public override string Description =>
        """
        Live sessions, in a process of their own, check every notification and how late it is against its publishing
        cycle. First the unloaded handshake rate is measured (--baseline connects, --concurrency at a time, upon the
        same live sessions), then all storm clients connect at once: TCP, HEL, OPN, CreateSession, ActivateSession
        (and --subscribe), each with its own source address, patience and way to take a refusal, until it is active.
        In the end all leave, and the server must hold no more than before.
        Prints: time to all active, goodput by the second against the unloaded rate, times of known clients and of
        strangers, live sessions lost, their lost, repeated and late messages, what the clients were told how often,
        attempts, hints and how evenly those came back who obeyed, server memory before, at its peak and a waiting
        client, CPU of server, driver and live observer, what was left behind. --svg draws it.
        Exit code 1: a client never active, a session lost, a notification lost, something left behind.
        """;

    public override IReadOnlyList<Option> Options => Shared;

    public static StormPlan PlanOf(ScenarioValues values) => new()
    {
        Clients = values.Get(Clients),
        Behaviour = Enum.Parse<StormBehaviour>(values.Get(Behaviour), ignoreCase: true),
        Certificates = values.Get(Certificates),
        KnownShare = values.Get(Known),
        Addresses = values.Get(Addresses),
        Patience = TimeSpan.FromSeconds(values.Get(Patience)),
        Backoff = TimeSpan.FromSeconds(values.Get(Backoff)),
        Subscribes = values.Get(Subscribe),
        BaselineClients = values.Get(Baseline),
        Silent = values.Get(Silent),
        Limit = TimeSpan.FromSeconds(values.Get(Limit)),
        Hold = TimeSpan.FromSeconds(values.Get(Hold)),
        Within = TimeSpan.FromSeconds(values.Get(Within)),
        Live = new LiveSettings
        {
            Sessions = values.Get(Live),
            Items = values.Get(Items),
            IntervalMs = values.Get(Interval),
            Tags = values.Get(Tags),
            NewcomerEveryMs = values.Get(Newcomer),
        },
    };

    public static IEnumerable<string> Check(ScenarioValues values)
    {
        if (!Enum.TryParse<StormBehaviour>(values.Get(Behaviour), ignoreCase: true, out _))
            yield return $"--behaviour is not obey, ignore or mixed: {values.Get(Behaviour)}";
    }

    public override Plant PlantOf(ScenarioValues values) =>
        new() { Tags = values.Get(Tags), ChangesPerSecond = values.Get(Tags) };

    public override IEnumerable<string> Validate(ScenarioValues values) => Check(values);

    public override async Task RunAsync(RunContext context)
    {
        var result = await new StormRun(context, PlanOf(context.Values)).RunAsync();
        StormReport.AddTo(context.Report, result);
        StormReport.AddTablesTo(context.Report, result, "the server");
        if (context.Get(Svg) is { } file)
            await WritePlotAsync(result, file, context.Cancellation);
    }

    public static Task WritePlotAsync(
        StormResult result, string file, CancellationToken cancellation, string server = "")
    {
        var title = string.Create(
            CultureInfo.InvariantCulture,
            $"{result.Plan.Clients:N0} clients at once upon {result.Plan.Live.Sessions:N0} live sessions");
        if (server.Length > 0)
            title += $" ({server})";
        return File.WriteAllTextAsync(file, new StormTimeline(result).AsPlot(title).Write(), cancellation);
    }

    private static Option<double> Between(string name, double value, double least, double most, string description)
    {
        var option = new Option<double>(name) { Description = description, DefaultValueFactory = _ => value };
        option.Validators.Add(result =>
        {
            if (result.Tokens.Count > 0 && !(result.GetValueOrDefault<double>() is var given && given >= least &&
                given <= most))
                result.AddError($"{name} is not between {least} and {most}");
        });
        return option;
    }
}
