using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Observers;

/// <summary>The observations of the live sessions: faults and Reads from their opening on, all else of the last
/// measurement.</summary>
internal sealed record LiveResult
{
    public required int Sessions { get; init; }

    public required int SessionsLost { get; init; }

    /// <summary>The first lost session's reason; empty: none was lost.</summary>
    public string FirstLoss { get; init; } = string.Empty;

    /// <summary>Subscriptions that brought nothing in the last intervals.</summary>
    public required int SilentAtEnd { get; init; }

    public required LiveFaults Faults { get; init; }

    public required IReadOnlyList<LiveSecond> Seconds { get; init; }

    public required LiveSecond Total { get; init; }

    /// <summary>Reads that were answered, by how long they took; none in a run without reads.</summary>
    public LiveSecond Reads { get; init; } = LiveSecond.None;

    public long ReadsFailed { get; init; }

    /// <summary>The first failed Read's reason; empty: none failed.</summary>
    public string FirstReadFailure { get; init; } = string.Empty;

    public IReadOnlyList<Newcomer> Newcomers { get; init; } = [];

    /// <summary>Of the observer's process, over the measurement.</summary>
    public double CpuCores { get; init; }

    public void AddTo(Report report)
    {
        report.Add("live sessions", Sessions);
        report.AddFault("live sessions lost", SessionsLost);
        if (FirstLoss.Length > 0)
            report.Note($"the first live session that was lost: {FirstLoss}");
        report.Add("live messages received", Total.Messages);
        report.Add("live lateness p50", Total.P50Ms, "ms");
        report.Add("live lateness p99", Total.P99Ms, "ms");
        report.Add("live lateness max", Total.MaxMs, "ms");
        report.Add("live lateness p99, worst second", WorstSecond(), "ms");
        Faults.AddTo(report);
        report.AddFault("live subscriptions silent at the end", SilentAtEnd);
        report.Add("live observer CPU", CpuCores, "cores");
        if (Reads.Messages + ReadsFailed > 0)
            AddReadsTo(report);
        if (Newcomers.Count > 0)
            AddNewcomersTo(report);
    }

    private void AddReadsTo(Report report)
    {
        report.Add("live Reads", Reads.Messages);
        report.Add("live Read p50", Reads.P50Ms, "ms");
        report.Add("live Read p99", Reads.P99Ms, "ms");
        report.Add("live Read max", Reads.MaxMs, "ms");
        report.AddFault("live Reads that failed", ReadsFailed);
        if (FirstReadFailure.Length > 0)
            report.Note($"the first live Read that failed: {FirstReadFailure}");
    }

    private double WorstSecond()
    {
        var worst = double.NaN;
        foreach (var second in Seconds)
        {
            if (double.IsNaN(worst) || second.P99Ms > worst)
                worst = second.P99Ms;
        }

        return worst;
    }

    private void AddNewcomersTo(Report report)
    {
        var times = Newcomers.Where(one => double.IsFinite(one.ActiveMs)).Select(one => one.ActiveMs).Order().ToArray();
        report.Add("newcomers", Newcomers.Count);
        report.AddFault("newcomers that never became active", Newcomers.Count - times.Length);
        report.Add("newcomers' time to active p50", Percentiles.Of(times, 0.5), "ms");
        report.Add("newcomers' time to active p99", Percentiles.Of(times, 0.99), "ms");
        report.Add("newcomers' time to active max", Percentiles.Of(times, 1), "ms");
        report.Add("newcomers' attempts that failed", Newcomers.Sum(one => one.Attempts - 1));
        if (Newcomers.FirstOrDefault(one => one.Refusal.Length > 0) is { } refused)
            report.Note($"a newcomer was told: {refused.Refusal}");
    }
}
