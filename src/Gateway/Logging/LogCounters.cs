using System.Diagnostics.Metrics;

namespace Gateway.Host.Logging;

/// <summary>Counts of written and dropped log lines, on the Meter <c>Gateway.Log</c>.</summary>
internal sealed class LogCounters(LogThrottle throttle) : IDisposable
{
    private readonly Meter _meter = new("Gateway.Log");

    public void Start()
    {
        _meter.CreateObservableCounter(
            "gateway_log_lines_total", () => throttle.Written, null, "Lines logged.");
        _meter.CreateObservableCounter("gateway_log_lines_dropped_total", () => throttle.Dropped, null,
            "Lines not logged because of Limits:MaxLogLinesPerMinute or Limits:MaxLogBytesPerMinute.");
    }

    public void Dispose() => _meter.Dispose();
}
