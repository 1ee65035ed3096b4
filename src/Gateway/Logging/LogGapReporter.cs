using Gateway.Transport.Timing;

namespace Gateway.Host.Logging;

/// <summary>Logs once a minute how many lines of each kind were dropped, if any were.</summary>
internal sealed class LogGapReporter(LogThrottle throttle, ILoggerFactory loggers, TimeProvider time)
    : IHostedService, IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMinutes(1);

    private ITimer? _timer;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        // No log: an error of the log itself cannot be logged.
        _timer = Contained.Every(time, Interval, Report, log: null);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Reports the rest at the end.</summary>
    public void Dispose()
    {
        _timer?.Dispose();
        Report();
    }

    private void Report()
    {
        foreach (var gap in throttle.TakeGaps())
        {
            loggers.CreateLogger(gap.Kind.Category).Log(
                LogLevel.Warning, new EventId(gap.Kind.EventId, gap.Kind.Name), gap, null,
                static (state, _) => state.ToString());
        }
    }
}
