using System.CommandLine;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios.Capacity;

/// <summary>One point: a gateway of its own with the point's plant, its sessions, a steady state.</summary>
internal sealed class CapacityStep(CapacityPoint point, double warmUpSeconds, double seconds) : Scenario
{
    public override string Name => "capacity";

    public override string Summary => point.ToString();

    public override string Description => Summary;

    public override IReadOnlyList<Option> Options => [];

    public CapacityMeasurement? Measurement { get; private set; }

    public override Plant PlantOf(ScenarioValues values) =>
        new() { Tags = point.Tags, ChangesPerSecond = point.Tags };

    public override async Task RunAsync(RunContext context)
    {
        var recorder = new Recorder();
        var watchers = new WatcherPool(context, recorder);
        var pool = new SessionPool(context);
        if (point.Sessions > 0)
        {
            var tags = await context.FindTagsAsync(point.Tags);
            await pool.OpenUpToAsync(point.Sessions);
            context.Report.AddFault("sessions refused", pool.Failed);
            await watchers.AddAsync(
                0,
                pool.Sessions.Count,
                n => pool.Sessions[n],
                n => TagSlice.Of(tags, (long)n * point.Items, point.Items),
                point.IntervalMs);
        }

        await context.WaitAsync("warm-up", warmUpSeconds + (2 * point.IntervalMs / 1000.0));
        var from = watchers.Totals;
        var window = await context.MeasureAsync("steady state", seconds, recorder);
        var to = watchers.Totals;
        context.Report.AddFault("sessions lost", pool.Lost);
        to.AddFaultsTo(context.Report);
        Measurement = new CapacityMeasurement
        {
            Point = point,
            MessagesPerSecond = (to.Messages - from.Messages) / window.Seconds,
            NotificationsPerSecond = (to.Values - from.Values) / window.Seconds,
            Cores = window.ServerCores,
            ResidentBytes = window.ServerResidentBytes,
            LatenessP99Ms = recorder.Lateness.PercentileMs(0.99),
        };
    }
}
