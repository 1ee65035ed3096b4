namespace Gateway.Host.Logging;

/// <summary>Says once a minute how many lines of which kind were not logged, where any were. Owner: the program.
/// </summary>
internal sealed class LogGapReporter : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMinutes(1);

    private readonly LogThrottle _throttle;
    private readonly ILoggerFactory _loggers;
    private readonly ITimer _timer;

    public LogGapReporter(LogThrottle throttle, ILoggerFactory loggers, TimeProvider time)
    {
        (_throttle, _loggers) = (throttle, loggers);
        _timer = time.CreateTimer(static me => ((LogGapReporter)me!).Report(), this, Interval, Interval);
    }

    /// <summary>What is left is told at the end.</summary>
    public void Dispose()
    {
        _timer.Dispose();
        Report();
    }

    private void Report()
    {
        foreach (var gap in _throttle.TakeGaps())
        {
            _loggers.CreateLogger(gap.Kind.Category).Log(
                LogLevel.Warning, new EventId(gap.Kind.EventId, gap.Kind.Name), gap, null,
                static (state, _) => state.ToString());
        }
    }
}
