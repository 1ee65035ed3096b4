using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Observers;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Sessions beside what is measured, a subscription of one item each, as in the scenario sessions. They are in
/// a process of their own: a driver that is busy with what is measured would make them look late.</summary>
internal sealed class SessionsBeside : IMeasurement, IAsyncDisposable
{
    /// <summary>Null: a run without them.</summary>
    private readonly LiveObserver? _observer;

    private LiveSecond _lateness = LiveSecond.None;
    private LiveResult? _result;

    private SessionsBeside(LiveObserver? observer, int count) => (_observer, Count) = (observer, count);

    public int Count { get; }

    public static async Task<SessionsBeside> StartAsync(RunContext gateway, int count, double intervalMs) => new(
        count == 0 ? null : await LiveObserver.StartAsync(gateway, new LiveSettings
        {
            Sessions = count,
            Tags = count,
            IntervalMs = intervalMs,
            Certificates = 1,
            // Each run waits before it measures.
            SettleSeconds = 0,
        }),
        count);

    public async Task BeginAsync()
    {
        if (_observer is not null)
            await _observer.BeginAsync();
    }

    public async Task StopAsync()
    {
        if (_observer is not null)
            _lateness = await _observer.StopAsync();
    }

    public async Task MeasureAsync(double seconds, CancellationToken cancellation)
    {
        await BeginAsync();
        await Task.Delay(TimeSpan.FromSeconds(seconds), cancellation);
        await StopAsync();
    }

    /// <summary>Closes them.</summary>
    public async Task EndAsync() => _result = _observer is null ? null : await _observer.EndAsync();

    /// <summary>The last measurement; once they have ended, also what they missed in their whole life.</summary>
    /// <param name="report">Of the run.</param>
    /// <param name="name">For its rows.</param>
    public void AddTo(Report report, string name = "sessions")
    {
        report.Add(name, Count);
        report.Add($"{name}: lateness p50", _lateness.P50Ms, "ms");
        report.Add($"{name}: lateness p99", _lateness.P99Ms, "ms");
        report.Add($"{name}: lateness max", _lateness.MaxMs, "ms");
        AddLossesTo(report, name);
    }

    /// <summary>Of their whole life, once they have ended.</summary>
    /// <param name="report">Of the run.</param>
    /// <param name="name">For its rows.</param>
    public void AddLossesTo(Report report, string name = "sessions")
    {
        if (_result is not { } result)
            return;
        report.Add($"{name}: driver CPU", result.CpuCores, "cores");
        report.AddFault($"{name} lost", result.SessionsLost);
        report.AddFault($"{name}: values missing", result.Faults.Missing);
        report.AddFault(
            $"{name}: values repeated, reordered or bad",
            result.Faults.Repeats + result.Faults.Reorders + result.Faults.Unknown);
        report.AddFault($"{name}: messages lost", result.Faults.Lost + result.Faults.SequenceFaults);
        report.AddFault($"{name}: subscriptions ended", result.Faults.Ended);
        report.AddFault($"{name}: silent at the end", result.SilentAtEnd);
        if (result.FirstLoss.Length > 0)
            report.Note($"{name}: the first one that was lost: {result.FirstLoss}");
    }

    public ValueTask DisposeAsync() => _observer?.DisposeAsync() ?? default;
}
