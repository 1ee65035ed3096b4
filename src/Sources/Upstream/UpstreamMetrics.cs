using System.Diagnostics.Metrics;

namespace Gateway.Sources.Upstream;

/// <summary>One upstream's instruments of meter <c>Gateway.Sources.Upstream</c>; the label is its configured name.
/// Threads: any.</summary>
internal sealed class UpstreamMetrics : IDisposable
{
    public const string MeterName = "Gateway.Sources.Upstream";

    private readonly Meter _meter = new(MeterName);
    private readonly KeyValuePair<string, object?> _upstream;
    private long _connects;
    private long _failures;
    private long _notifications;
    private long _lost;
    private long _breaks;
    private volatile bool _connected;

    public UpstreamMetrics(string upstream)
    {
        _upstream = new KeyValuePair<string, object?>("upstream", upstream);
        Count("gateway_upstream_connects_total", () => Volatile.Read(ref _connects),
            "Sessions established with the upstream.");
        Count("gateway_upstream_connect_failures_total", () => Volatile.Read(ref _failures),
            "Attempts to connect that failed.");
        Count("gateway_upstream_notifications_total", () => Volatile.Read(ref _notifications),
            "Values received from the upstream.");
        Count("gateway_upstream_lost_messages_total", () => Volatile.Read(ref _lost),
            "NotificationMessages of the upstream that could not be had again.");
        Count("gateway_upstream_circuit_breaks_total", () => Volatile.Read(ref _breaks),
            "Times that connecting was suspended after repeated failures.");
        _meter.CreateObservableGauge(
            "gateway_upstream_connected", () => new Measurement<int>(_connected ? 1 : 0, _upstream), null,
            "1 while there is a session with the upstream.");
    }

    public void Watch(UpstreamItems items) => _meter.CreateObservableGauge(
        "gateway_upstream_monitored_items", () => new Measurement<int>(items.ActiveCount, _upstream), null,
        "Items monitored at the upstream now.");

    public void Connected()
    {
        _connected = true;
        Interlocked.Increment(ref _connects);
    }

    public void Disconnected() => _connected = false;

    public void ConnectFailed() => Interlocked.Increment(ref _failures);

    public void Notified(int values) => Interlocked.Add(ref _notifications, values);

    public void Lost(uint messages) => Interlocked.Add(ref _lost, messages);

    public void CircuitBroke() => Interlocked.Increment(ref _breaks);

    public void Dispose() => _meter.Dispose();

    private void Count(string name, Func<long> value, string description) => _meter.CreateObservableCounter(
        name, () => new Measurement<long>(value(), _upstream), null, description);
}
