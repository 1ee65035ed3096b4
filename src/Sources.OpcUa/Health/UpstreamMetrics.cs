using System.Diagnostics.Metrics;
using Gateway.Admission.Stages;

namespace Gateway.Sources.OpcUa.Health;

/// <summary>One upstream's instruments of meter <c>Gateway.Sources.Upstream</c>; the label is its configured name.
/// Threads: any.</summary>
internal sealed class UpstreamMetrics : IDisposable
{
    public const string MeterName = "Gateway.Sources.Upstream";

    private static readonly UpstreamBound[] Bounds = Enum.GetValues<UpstreamBound>();
    private static readonly string[] BoundLabels = EnumLabels.Of<UpstreamBound>();

    /// <summary>Seconds: a controller in the next cabinet, to one behind a slow line.</summary>
    private static readonly double[] DurationBounds = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];

    private readonly Meter _meter = new(MeterName);
    private readonly KeyValuePair<string, object?> _upstream;
    private long _connects;
    private long _failures;
    private long _notifications;
    private long _lost;
    private long _breaks;
    private readonly long[] _bounds = new long[Bounds.Length];
    private readonly TimeProvider _time;
    private readonly RequestLatency _latency = new();
    private readonly Histogram<double> _durations;
    private Func<int> _activeItems = static () => 0;
    private long _heard;
    private volatile bool _connected;

    public UpstreamMetrics(string upstream, bool isInsecure, TimeProvider time)
    {
        _time = time;
        _upstream = new KeyValuePair<string, object?>("upstream", upstream);
        Count("gateway_upstream_connects_total", () => Volatile.Read(ref _connects),
            "Sessions established with the upstream.");
        Count("gateway_upstream_connect_failures_total", () => Volatile.Read(ref _failures),
            "Attempts to connect that failed.");
        Count("gateway_upstream_notifications_total", () => Volatile.Read(ref _notifications),
            "Values received from the upstream.");
        Count("gateway_upstream_lost_messages_total", () => Volatile.Read(ref _lost),
            "NotificationMessages of the upstream that Republish could not return.");
        Count("gateway_upstream_circuit_breaks_total", () => Volatile.Read(ref _breaks),
            "Times that connecting was suspended after repeated failures.");
        _meter.CreateObservableGauge(
            "gateway_upstream_connected", () => new Measurement<int>(_connected ? 1 : 0, _upstream), null,
            "1 while there is a session with the upstream.");
        _meter.CreateObservableGauge(
            "gateway_upstream_silence_seconds", MeasureSilence, "s",
            "Time since the last message of a connected upstream: it publishes at least its keep-alives.");
        _meter.CreateObservableGauge(
            "gateway_upstream_insecure", () => new Measurement<int>(isInsecure ? 1 : 0, _upstream), null,
            "1 if the configuration of the upstream is insecure.");
        _meter.CreateObservableCounter(
            "gateway_upstream_bounds_total", MeasureBounds, null,
            "Times that answers of the upstream exceeded a limit Limits:MaxUpstream… or its MaxNodes.");
        _durations = _meter.CreateHistogram<double>(
            "gateway_upstream_request_duration_seconds", "s",
            "From a request to the upstream, other than Publish, to its answer.", [],
            new InstrumentAdvice<double> { HistogramBucketBoundaries = DurationBounds });
    }

    public UpstreamCounts Counts => new()
    {
        Connects = Volatile.Read(ref _connects),
        ConnectFailures = Volatile.Read(ref _failures),
        Notifications = Volatile.Read(ref _notifications),
        LostMessages = Volatile.Read(ref _lost),
        CircuitBreaks = Volatile.Read(ref _breaks),
        MonitoredItems = _activeItems(),
    };

    public LatencyReport? Latency => _latency.Read();

    public void Watch(Func<int> activeItems)
    {
        _activeItems = activeItems;
        _meter.CreateObservableGauge(
            "gateway_upstream_monitored_items", () => new Measurement<int>(activeItems(), _upstream), null,
            "Items monitored at the upstream now.");
    }

    public void Answered(TimeSpan took)
    {
        _latency.Add(took);
        _durations.Record(took.TotalSeconds, _upstream);
    }

    public void Connected()
    {
        Heard();
        _connected = true;
        Interlocked.Increment(ref _connects);
    }

    /// <summary>A message of its subscription, also one without values.</summary>
    public void Heard() => Volatile.Write(ref _heard, _time.GetTimestamp());

    public void Disconnected() => _connected = false;

    public void ConnectFailed() => Interlocked.Increment(ref _failures);

    public void Notified(int values)
    {
        Heard();
        Interlocked.Add(ref _notifications, values);
    }

    public void Lost(uint messages) => Interlocked.Add(ref _lost, messages);

    public void CircuitBroke() => Interlocked.Increment(ref _breaks);

    public void Met(UpstreamBound bound) => Interlocked.Increment(ref _bounds[(int)bound]);

    public IReadOnlyList<(UpstreamBound Bound, long Count)> BoundsMet() =>
        [.. Bounds.Select(bound => (bound, Volatile.Read(ref _bounds[(int)bound]))).Where(met => met.Item2 > 0)];

    public void Dispose() => _meter.Dispose();

    /// <summary>Nothing while it is away: gateway_upstream_connected says that.</summary>
    private Measurement<double>[] MeasureSilence() => _connected
        ? [new Measurement<double>(_time.GetElapsedTime(Volatile.Read(ref _heard)).TotalSeconds, _upstream)]
        : [];

    private IEnumerable<Measurement<long>> MeasureBounds() => Bounds.Select(bound => new Measurement<long>(
        Volatile.Read(ref _bounds[(int)bound]),
        _upstream, new KeyValuePair<string, object?>("bound", BoundLabels[(int)bound])));

    private void Count(string name, Func<long> value, string description) => _meter.CreateObservableCounter(
        name, () => new Measurement<long>(value(), _upstream), null, description);
}
