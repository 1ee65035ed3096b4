using System.CommandLine;
using Gateway.Loadtest.Reports;
using Gateway.Loadtest.Scenarios;
using Spectre.Console;

namespace Gateway.Loadtest;

/// <summary>The driver's commands and options. Every run is bounded and stays on the loopback.</summary>
internal static class CommandLine
{
    private static readonly Option<string> Url = new("--url")
    {
        Description = "Server to measure; a loopback address. Without it the gateway is started.",
        Recursive = true,
    };

    private static readonly Option<string> Gateway = new("--gateway")
    {
        Description = "Gateway.Gateway.dll to start (with --demo, on a free port).",
        Recursive = true,
    };

    private static readonly Option<int> ServerPid = new("--server-pid")
    {
        Description = "Process whose CPU and memory are measured; known where the gateway is started here.",
        Recursive = true,
    };

    private static readonly Option<string> Policy = Text("--policy", "Basic256Sha256", "Security policy.");

    private static readonly Option<string> Mode = Text("--mode", "SignAndEncrypt", "None, Sign or SignAndEncrypt.");

    private static readonly Option<string> Tag =
        Text("--tag", "nsu=urn:gateway:simulator;i={0}", "Node id of a counting tag; {0} is its number, from 1000.");

    private static readonly Option<string> Out = Text("--out", "loadtest-results", "Folder of the JSON and Markdown.");

    private static readonly Option<int> Sessions = Number("--sessions", 100, "Sessions.");

    private static readonly Option<int> Tags = Number("--tags", 1000, "Tags of the plant, spread over the sessions.");

    private static readonly Option<int> Changes =
        Number("--changes", 1000, "Changes a second of a plant started here.");

    private static readonly Option<int> Seconds = Number("--seconds", 10, "Length of a measurement.");

    private static readonly Option<int> Parallel = Number("--parallel", 16, "Sessions being opened at a time.");

    private static readonly Option<double> Interval = new("--interval")
    {
        Description = "Publishing interval in ms.",
        DefaultValueFactory = _ => 1000,
        Recursive = true,
    };

    public static RootCommand Build()
    {
        var root = new RootCommand("Measures an OPC UA server: sessions, reads, notifications.");
        foreach (var option in new Option[]
        {
            Url, Gateway, ServerPid, Policy, Mode, Tag, Out, Sessions, Tags, Changes, Seconds, Parallel, Interval,
        })
            root.Options.Add(option);
        Add(root, "sessions", "Opens sessions with one item each, then checks every notification.",
            context => new SessionsScenario(context).RunAsync());
        Add(root, "read", "Server CPU of one Read.", context => new ReadScenario(context).RunAsync());
        Add(root, "notify", "Server CPU of one notification, 1 and 100 a message.",
            context => new NotifyScenario(context).RunAsync());
        Add(root, "changes", "All tags to one client: order, gaps, repeats, latency.",
            context => new ChangesScenario(context).RunAsync());
        return root;
    }

    private static void Add(RootCommand root, string name, string description, Func<RunContext, Task> run)
    {
        var command = new Command(name, description);
        command.SetAction((parsed, cancellation) => RunAsync(name, run, Options(parsed), cancellation));
        root.Subcommands.Add(command);
    }

    private static RunOptions Options(ParseResult parsed) => new()
    {
        Url = parsed.GetValue(Url),
        GatewayDll = parsed.GetValue(Gateway),
        ServerPid = parsed.GetValue(ServerPid),
        Policy = parsed.GetValue(Policy)!,
        Mode = parsed.GetValue(Mode)!,
        TagFormat = parsed.GetValue(Tag)!,
        OutputFolder = parsed.GetValue(Out)!,
        Sessions = parsed.GetValue(Sessions),
        Tags = parsed.GetValue(Tags),
        ChangesPerSecond = parsed.GetValue(Changes),
        Seconds = parsed.GetValue(Seconds),
        Parallel = parsed.GetValue(Parallel),
        IntervalMs = parsed.GetValue(Interval),
    };

    private static async Task<int> RunAsync(
        string name, Func<RunContext, Task> run, RunOptions options, CancellationToken cancellation)
    {
        var errors = options.Validate().ToArray();
        foreach (var error in errors)
            AnsiConsole.MarkupLineInterpolated($"[red]{error}[/]");
        if (errors.Length > 0)
            return 2;
        await using var context = await RunContext.StartAsync(options, new Report(name, options), cancellation);
        await run(context);
        ReportWriter.Write(context.Report, options.OutputFolder);
        return context.Report.Failures.Count == 0 ? 0 : 1;
    }

    private static Option<string> Text(string name, string value, string description) => new(name)
    {
        Description = description,
        DefaultValueFactory = _ => value,
        Recursive = true,
    };

    private static Option<int> Number(string name, int value, string description) => new(name)
    {
        Description = description,
        DefaultValueFactory = _ => value,
        Recursive = true,
    };
}
