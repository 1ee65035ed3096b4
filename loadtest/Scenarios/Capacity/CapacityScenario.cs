using System.CommandLine;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Capacity;

/// <summary>A formula for the CPU and memory of any configuration, and how far it can be trusted.</summary>
internal sealed class CapacityScenario : Scenario
{
    private readonly Option<int> _warmUp = Number("--warm-up", 10, "Seconds before each measurement.", 0, 3600);

    private readonly Option<int> _seconds = Number("--seconds", 20, "Seconds measured at each point.", 1, 3600);

    private readonly Option<int> _share =
        Number("--percent", 100, "Share of each point's sessions, for a first look.", 1, 100);

    public override string Name => "capacity";

    public override string Summary => "CPU and memory of any configuration: a formula, fitted and then checked.";

    public override string Description =>
        """
        Starts a gateway for each of nine configurations (tags, sessions, items, publishing interval), measures CPU and
        memory in steady state, fits the costs of a change, a message, a notification, a tag, a session and an item to
        them, predicts three configurations that the fit has not seen, measures those, and prints how far off it was.
        A message has two costs: one where at most 2,000 a second come, spread evenly (a lone message wakes a thread for
        itself), and one from 4,000 a second on. Every value is checked as in the scenario sessions.
        """;

    public override IReadOnlyList<Option> Options => [_warmUp, _seconds, _share];

    public override bool StartsServers => true;

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        if (values.Get(CommonOptions.Url) is not null)
            yield return "capacity starts its gateways itself, one for each configuration: leave --url out";
    }

    public override async Task RunAsync(RunContext context)
    {
        var fitted = await MeasureAsync(context, CapacityPoint.Fitted);
        var model = CapacityModel.Fit(fitted);
        AddCosts(context.Report, model);
        var check = await MeasureAsync(context, CapacityPoint.Checked);
        context.Report.Tables.Add(TableOf("Fitted", model, fitted));
        context.Report.Tables.Add(TableOf("Predicted, then measured", model, check));
    }

    private async Task<List<CapacityMeasurement>> MeasureAsync(
        RunContext context, IReadOnlyList<CapacityPoint> points)
    {
        List<CapacityMeasurement> measured = [];
        foreach (var point in points)
        {
            var step = new CapacityStep(
                point with { Sessions = (int)((long)point.Sessions * context.Get(_share) / 100) },
                context.Get(_warmUp),
                context.Get(_seconds));
            var report = new Report(Name, context.Options);
            await using var run = await context.StartPartAsync(context.Options, step, context.Values, report);
            await step.RunAsync(run);
            foreach (var failure in report.Failures)
                context.Report.Fail($"{point}: {failure}");
            measured.Add(step.Measurement!);
        }

        return measured;
    }

    private static void AddCosts(Report report, CapacityModel model)
    {
        report.Add("the process itself", 100 * model.BaseCores, "% of a core");
        report.Add("a change of a tag", model.MicrosecondsPerChange, "µs");
        report.Add("a message, at 2,000 a second and fewer", model.MicrosecondsPerLoneMessage, "µs");
        report.Add("a message, from 4,000 a second on", model.MicrosecondsPerMessage, "µs");
        report.Add("a notification", model.MicrosecondsPerNotification, "µs");
        report.Add("memory: the process itself", model.BaseBytes / 1024 / 1024, "MiB");
        report.Add("memory: a tag", model.BytesPerTag, "B");
        report.Add("memory: a session and its subscription", model.BytesPerSession, "B");
        report.Add("memory: an item", model.BytesPerItem, "B");
    }

    private static ReportTable TableOf(
        string title, CapacityModel model, IReadOnlyList<CapacityMeasurement> points)
    {
        string[] columns =
        [
            "configuration", "messages/s", "notifications/s", "cores", "by the formula", "off by", "MiB",
            "by the formula", "off by", "lateness p99 ms",
        ];
        var table = new ReportTable(title, columns);
        foreach (var point in points)
        {
            var (cores, bytes) = (model.CoresOf(point), model.BytesOf(point));
            table.Rows.Add(
            [
                point.Point.ToString(),
                Text($"{point.MessagesPerSecond:N0}"),
                Text($"{point.NotificationsPerSecond:N0}"),
                Text($"{point.Cores:0.000}"),
                Text($"{cores:0.000}"),
                Text($"{100 * (cores / point.Cores - 1):+0;−0;0} %"),
                Text($"{point.ResidentBytes / 1024 / 1024:N0}"),
                Text($"{bytes / 1024 / 1024:N0}"),
                Text($"{100 * (bytes / point.ResidentBytes - 1):+0;−0;0} %"),
                double.IsNaN(point.LatenessP99Ms) ? "n/a" : Text($"{point.LatenessP99Ms:0.0}"),
            ]);
        }

        return table;
    }

    private static string Text(FormattableString text) => FormattableString.Invariant(text);
}
