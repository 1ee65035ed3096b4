using System.CommandLine;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Changes through the server at a fixed rate: from it, to it, or both.</summary>
internal sealed class ChangesScenario : Scenario
{
    private const string Out = "server-to-client";
    private const string In = "client-to-server";
    private const string Both = "both";

    private readonly Option<string> _direction = Direction();

    private readonly Option<int> _changes = Number("--changes", 20_000, "Changes a second each way.", 1, 1_000_000);

    private readonly Option<int> _tags = Number("--tags", 20_000, "Tags that change at the server.", 1, 1_000_000);

    private readonly Option<int> _writeTags = Number("--write-tags", 2000, "Variables that are written.", 1, 100_000);

    private readonly Option<int> _sessions = Number("--sessions", 1, "Sessions each way that share the load.", 1, 1000);

    private readonly Option<double> _interval = Milliseconds("--interval", 100, "Publishing interval in ms.");

    private readonly Option<int> _warmUp = Number("--warm-up", 5, "Seconds before the measurement.", 0, 3600);

    private readonly Option<int> _seconds = Number("--seconds", 300, "Seconds measured.", 1, 86_400);

    public override string Name => "changes";

    public override string Summary => "20,000 changes a second, server to client, client to server or both: latency.";

    public override string Description =>
        """
        server-to-client: every change of every tag by subscription; latency is from the value's source timestamp to
        its arrival, by the wall clock (both sides on one machine). client-to-server: counters written in batches every
        10 ms; other sessions monitor the variables; latency is from the Write to the arrival there, by one monotonic
        clock. Every value is checked both ways. Writes to the server: never point it at a plant's variables.
        Prints: changes a second, latency p50, p99 and max, round trip of a Write, allocation, memory, CPU.
        """;

    public override IReadOnlyList<Option> Options =>
    [
        _direction, _changes, _tags, _writeTags, WriteTags.Format, WriteTags.First, _sessions, _interval, _warmUp,
        _seconds,
    ];

    public override Plant PlantOf(ScenarioValues values)
    {
        var direction = values.Get(_direction);
        return new Plant
        {
            Tags = direction == In ? 1 : values.Get(_tags),
            ChangesPerSecond = direction == In ? 0 : values.Get(_changes),
            WritableTags = direction == Out ? 0 : values.Get(_writeTags),
        };
    }

    public override async Task RunAsync(RunContext context)
    {
        var direction = context.Get(_direction);
        var outward = direction == In ? null : new OutwardChanges(context);
        await using var inward = direction == Out ? null : new InwardChanges(context);
        if (outward is not null)
            await outward.StartAsync(context.Get(_tags), context.Get(_sessions), context.Get(_interval));
        if (inward is not null)
        {
            await inward.StartAsync(
                context.Get(_writeTags), context.Get(_sessions), context.Get(_changes), context.Get(_interval));
        }

        await context.WaitAsync("warm-up", context.Get(_warmUp) + (2 * context.Get(_interval) / 1000));
        outward?.Begin();
        inward?.Begin();
        var seconds = context.Get(_seconds);
        var parts = new[] { outward?.Recorder, inward?.Recorder }.OfType<Recorder>()
            .Select(recorder => recorder.MeasureAsync(seconds, context.Cancellation)).ToArray();
        var window = await context.MeasureAsync(direction, seconds);
        await Task.WhenAll(parts);
        outward?.End();
        if (inward is not null)
            await inward.EndAsync(context.Get(_interval));
        context.Report.Add("changes asked for, each way", context.Get(_changes), "/s");
        outward?.Print(window);
        inward?.Print(window);
        PrintCosts(context.Report, window, (outward?.Values ?? 0) + (inward?.Values ?? 0));
    }

    private static void PrintCosts(Report report, Window window, long changes)
    {
        report.Add("server CPU a change, plant included", 1e6 * window.ServerCpuSeconds / changes, "µs");
        report.Add("driver CPU a change", 1e6 * window.DriverCpuSeconds / changes, "µs");
        WindowRows.AddTo(report, window);
    }

    private static Option<string> Direction()
    {
        var option = Text("--direction", Out, "Which way the changes go.");
        option.AcceptOnlyFromAmong(Out, In, Both);
        return option;
    }
}
