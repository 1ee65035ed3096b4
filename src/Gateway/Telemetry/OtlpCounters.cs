using System.Diagnostics.Metrics;
using Gateway.Transport.Tracing;

namespace Gateway.Host.Telemetry;

/// <summary>Counts of the export by OTLP, on the meter <c>Gateway.Otlp</c>. Any thread.</summary>
internal sealed class OtlpCounters(RequestTracing tracing) : IDisposable
{
    private readonly Meter _meter = new("Gateway.Otlp");

    public OtlpSignal Traces { get; } = new("traces");

    public OtlpSignal Metrics { get; } = new("metrics");

    public OtlpSignal Logs { get; } = new("logs");

    public void Start()
    {
        Count("gateway_otlp_exported_total", static signal => signal.Exported,
            "Spans, metrics and log records that the collector took.");
        Count("gateway_otlp_failed_total", static signal => signal.Failed,
            "Spans, metrics and log records that were lost because the collector did not take them.");
        Count("gateway_otlp_dropped_total", static signal => signal.Dropped,
            "Spans and log records that were dropped because Limits:MaxOtlpQueueLength waited already, and log "
            + "records above the limits of the log.");
        _meter.CreateObservableGauge("gateway_otlp_waiting", Waiting, null,
            "Spans and log records that wait for the collector.");
        _meter.CreateObservableCounter("gateway_traces_asked_total", () => tracing.Asked, null,
            "Requests that were traced because their callers asked for it.");
        _meter.CreateObservableCounter("gateway_traces_asked_above_total", () => tracing.AskedAbove, null,
            "Such requests above Limits:MaxAskedTracesPerSecond.");
    }

    public void Dispose() => _meter.Dispose();

    private void Count(string name, Func<OtlpSignal, long> value, string description) =>
        _meter.CreateObservableCounter(
            name, () => ((OtlpSignal[])[Traces, Metrics, Logs]).Select(one => one.Measure(value(one))), null,
            description);

    private IEnumerable<Measurement<long>> Waiting() =>
        ((OtlpSignal[])[Traces, Logs]).Select(static one => one.Measure(one.Waiting));
}
