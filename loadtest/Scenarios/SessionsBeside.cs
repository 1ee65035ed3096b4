using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Sessions beside what is measured, a subscription of one item each, as in the scenario sessions.</summary>
internal sealed class SessionsBeside
{
    private readonly SessionPool _pool;
    private readonly WatcherPool _watchers;

    private SessionsBeside(RunContext gateway) =>
        (_pool, _watchers) = (new SessionPool(gateway), new WatcherPool(gateway, Recorder));

    public Recorder Recorder { get; } = new() { Part = MeasurePart.Opening };

    public int Count => _pool.Sessions.Count;

    public int Lost => _pool.Lost + _pool.Failed;

    public WatcherTotals Totals => _watchers.Totals;

    public static async Task<SessionsBeside> StartAsync(RunContext gateway, int count, double intervalMs)
    {
        var sessions = new SessionsBeside(gateway);
        if (count > 0)
        {
            var tags = await gateway.FindTagsAsync(count);
            await sessions._pool.OpenUpToAsync(count);
            await sessions._watchers.AddAsync(
                0, sessions.Count, number => sessions._pool.Sessions[number],
                number => TagSlice.Of(tags, number, 1), intervalMs);
        }

        sessions.Recorder.Part = MeasurePart.Settling;
        return sessions;
    }

    /// <param name="report">Gets the rows.</param>
    /// <param name="column">For a note.</param>
    /// <param name="lateness">Of the measurement.</param>
    /// <param name="count">Of the sessions.</param>
    /// <param name="lost">Of these.</param>
    /// <param name="totals">What they have missed.</param>
    public static void AddTo(
        Report report, string column, Histogram lateness, int count, int lost, WatcherTotals totals)
    {
        report.Add("sessions", count);
        report.Add("sessions: lateness p50", lateness.PercentileMs(0.5), "ms");
        report.Add("sessions: lateness p99", lateness.PercentileMs(0.99), "ms");
        report.Add("sessions: lateness max", lateness.MaximumMs, "ms");
        report.AddFault("sessions lost or refused", lost);
        report.AddFault("sessions: values missing", totals.Missing);
        report.AddFault("sessions: messages lost", totals.Lost);
        if (totals.FaultText.Length > 0)
            report.Note($"{column}, sessions: {totals.FaultText}");
    }

    public void AddTo(Report report, string column) =>
        AddTo(report, column, Recorder.Lateness, Count, Lost, Totals);

    public Task CloseAsync() => Count > 0 ? _pool.CloseAsync() : Task.CompletedTask;
}
