using System.Diagnostics.Metrics;

namespace Gateway.Sources.Upstream;

/// <summary>One upstream's instruments of meter <c>Gateway.Sources.Upstream</c>; the label is its configured name.
/// Threads: any.</summary>
internal sealed class UpstreamMetrics : IDisposable
{
    public const string MeterName = "Gateway.Sources.Upstream";

    private readonly Meter _meter = new(MeterName);
    private readonly KeyValuePair<string, object?> _upstream;
    private readonly Counter<long> _connects;
    private readonly Counter<long> _failures;
    private readonly Counter<long> _notifications;
    private readonly Counter<long> _lost;
    private readonly Counter<long> _breaks;
    private volatile bool _connected;

    public UpstreamMetrics(string upstream)
    {
        _upstream = new KeyValuePair<string, object?>("upstream", upstream);
        _connects = Count("gateway_upstream_connects_total", "Sessions established with the upstream.");
        _failures = Count("gateway_upstream_connect_failures_total", "Attempts to connect that failed.");
        _notifications = Count("gateway_upstream_notifications_total", "Values received from the upstream.");
        _lost = Count("gateway_upstream_lost_messages_total", "NotificationMessages of the upstream that could not be had again.");
        _breaks = Count("gateway_upstream_circuit_breaks_total", "Times that connecting was suspended after repeated failures.");
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
        _connects.Add(1, _upstream);
    }

    public void Disconnected() => _connected = false;

    public void ConnectFailed() => _failures.Add(1, _upstream);

    public void Notified(int values) => _notifications.Add(values, _upstream);

    public void Lost(uint messages) => _lost.Add(messages, _upstream);

    public void CircuitBroke() => _breaks.Add(1, _upstream);

    public void Dispose() => _meter.Dispose();

    private Counter<long> Count(string name, string description) =>
        _meter.CreateCounter<long>(name, null, description);
}
