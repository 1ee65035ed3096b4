using System.CommandLine;
using Gateway.Loadtest.Attacks.Http;
using Gateway.Loadtest.Observers;
using Gateway.Loadtest.Reports;
using Gateway.Loadtest.Scenarios.Rest;
using Gateway.Loadtest.Terminal;

namespace Gateway.Loadtest;

/// <summary>The driver's commands: one a scenario. Every run is bounded.</summary>
internal static class CommandLine
{
    /// <summary>Exit codes: the checks held; a check failed; nothing was measured.</summary>
    private const int Held = 0;
    private const int Failed = 1;
    private const int NotRun = 2;

    private const string Description =
        """
        Measures an OPC UA server from its clients' side and checks all that it sends.

        Choose a scenario; each has its own --help. Without --url a gateway is started on loopback ports, with a
        simulated plant, and ended with the run. Results are printed and written as Markdown and JSON (--out).
        Exit code: 0 all checks held; 1 a check failed (a gap, a repeat, a loss, a refused session); 2 not run.
        """;

    public static RootCommand Build(TextWriter output)
    {
        var root = new RootCommand(Description);
        foreach (var scenario in ScenarioList.All)
            root.Subcommands.Add(CommandOf(scenario, output));
        root.Subcommands.Add(LiveCommand(output));
        root.Subcommands.Add(SocketsCommand());
        root.Subcommands.Add(EmptyCommand());
        return root;
    }

    /// <summary>The other half of a run, which starts it.</summary>
    private static Command LiveCommand(TextWriter output)
    {
        var command = new Command(LiveWorker.Command, "Used by the scenarios themselves.") { Hidden = true };
        command.SetAction((_, cancellation) => LiveWorker.RunAsync(Console.In, output, cancellation));
        return command;
    }

    private static Command SocketsCommand()
    {
        var command = new Command(SocketCrowd.Command, "Used by attacks themselves.") { Hidden = true };
        command.SetAction((_, cancellation) => SocketCrowd.RunAsync(Console.In, cancellation));
        return command;
    }

    private static Command EmptyCommand()
    {
        var command = new Command(EmptyEndpoint.Command, "Used by the scenario rest itself.") { Hidden = true };
        command.SetAction((_, cancellation) => EmptyEndpoint.RunAsync(Console.In, Console.Out, cancellation));
        return command;
    }

    private static Command CommandOf(Scenario scenario, TextWriter output)
    {
        var command = new Command(scenario.Name, $"{scenario.Summary}\n\n{scenario.Description}");
        foreach (var argument in scenario.Arguments)
            command.Arguments.Add(argument);
        foreach (var option in scenario.Options.Concat(CommonOptions.All))
            command.Options.Add(option);
        command.SetAction((parsed, cancellation) =>
            RunAsync(scenario, new ScenarioValues(parsed), output, cancellation));
        return command;
    }

    private static async Task<int> RunAsync(
        Scenario scenario, ScenarioValues values, TextWriter output, CancellationToken cancellation)
    {
        var options = CommonOptions.Read(values);
        var errors = options.Validate().Concat(scenario.Validate(values)).ToArray();
        foreach (var error in errors)
            await output.WriteLineAsync(error);
        if (errors.Length > 0)
            return NotRun;
        using var progress = ProgressLine.OnTerminal(output);
        var report = new Report(scenario.Name, options);
        try
        {
            await using var context =
                await RunContext.StartAsync(options, scenario, values, report, progress, cancellation);
            await scenario.RunAsync(context);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            progress.Clear();
            await output.WriteLineAsync(cancellation.IsCancellationRequested ? "stopped" : exception.Message);
            return NotRun;
        }

        progress.Clear();
        ReportWriter.Write(report, output);
        return report.Failures.Count == 0 ? Held : Failed;
    }
}
