using System.Collections.Immutable;
using System.Diagnostics.Metrics;
using Gateway.Admission.Stages;
using Gateway.Transport.Reverse;

namespace Gateway.Sources.OpcUa.Health;

/// <summary>
/// The instruments of meter <c>Gateway.Sources.Upstream</c>, one set for all upstreams and for the life of the process.
/// With one set each, the end of one upstream's meter would end the series of all: OpenTelemetry keeps one metric for
/// all instruments of a name, and drops it when one of them is disposed of. Threads: any.
/// </summary>
internal static class UpstreamInstruments
{
    public const string MeterName = "Gateway.Sources.Upstream";

    /// <summary>Seconds: a controller in the next cabinet, to one behind a slow line.</summary>
    private static readonly double[] DurationBounds = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];

    private static readonly Meter Meter = new(MeterName);
    private static readonly Lock Anew = new();
    private static volatile DurationMeter _durations = new();
    private static ImmutableArray<UpstreamMetrics> _all = [];
    private static readonly string[] Outcomes = EnumLabels.Of<ReverseOutcome>();
    private static readonly long[] Reverses = new long[Outcomes.Length];

    static UpstreamInstruments()
    {
        Count("gateway_upstream_connects_total", static one => one.Connects,
            "Sessions established with the upstream.");
        Count("gateway_upstream_connect_failures_total", static one => one.ConnectFailures,
            "Attempts to connect that failed.");
        Count("gateway_upstream_notifications_total", static one => one.Notifications,
            "Values received from the upstream.");
        Count("gateway_upstream_lost_messages_total", static one => one.LostMessages,
            "NotificationMessages of the upstream that Republish could not return.");
        Count("gateway_upstream_recovered_messages_total", static one => one.RecoveredMessages,
            "NotificationMessages that Republish brought after a lost connection.");
        Count("gateway_upstream_gaps_total", static one => one.Gaps,
            "Lost connections after which the subscription was gone: changes of its items were lost.");
        Meter.CreateObservableCounter(
            "gateway_upstream_reconnects_total", static () => _all.SelectMany(static one => one.MeasureResumes()),
            null, "Lost connections after which the upstream was back, by how it went on.");
        Count("gateway_upstream_circuit_breaks_total", static one => one.CircuitBreaks,
            "Times that connecting was suspended after repeated failures.");
        Meter.CreateObservableCounter(
            "gateway_upstream_bounds_total", static () => _all.SelectMany(static one => one.MeasureBounds()), null,
            "Times that answers of the upstream exceeded a limit Limits:MaxUpstream… or its MaxNodes.");
        Count("gateway_upstream_events_total", static one => one.Events,
            "Events received from the upstream, those of refreshes among them.");
        Count("gateway_upstream_events_refused_total", static one => one.RefusedEvents,
            "Events of the upstream that the gateway could not take: beyond a limit, or without what an event must "
                + "have.");
        Show("gateway_upstream_conditions", static one => one.Conditions,
            "Conditions and branches of the upstream that the gateway knows now.");
        Meter.CreateObservableCounter(
            "gateway_reverse_connections_total", MeasureReverses, null,
            "Connections that servers have opened to ReverseConnect:Port, by what became of them.");
        CreateRedundancy();
        Meter.CreateObservableGauge(
            "gateway_upstream_drift_changes", static () => _all.SelectMany(static one => one.MeasureDrift()), null,
            "Changes of the upstream's model that nobody has accepted yet, by kind.");
        CreateLoad();
        Show("gateway_upstream_connected", static one => one.IsConnected ? 1 : 0,
            "1 while there is a session with the upstream.");
        Show("gateway_upstream_insecure", static one => one.IsInsecure ? 1 : 0,
            "1 if the configuration of the upstream is insecure.");
        Show("gateway_upstream_monitored_items", static one => one.ActiveItems,
            "Items monitored at the upstream now.");
        Show("gateway_upstream_cyclic_items", static one => one.CyclicItems,
            "Watched nodes that are read again and again because the upstream has no item for them.");
        Meter.CreateObservableGauge(
            "gateway_upstream_silence_seconds", static () => _all.SelectMany(static one => one.MeasureSilence()), "s",
            "Time since the last message of a connected upstream: it publishes at least its keep-alives.");
    }

    private static void CreateRedundancy()
    {
        Count("gateway_upstream_failovers_total", static one => one.Failovers,
            "Times that another server of the redundant set took over.");
        Meter.CreateObservableGauge(
            "gateway_upstream_service_level", static () => _all.SelectMany(static one => one.MeasureServiceLevel()),
            null, "ServiceLevel of the server in use, of an upstream with backups: 200 and more is healthy.");
        Meter.CreateObservableGauge(
            "gateway_upstream_active_server", static () => _all.SelectMany(static one => one.MeasureActiveServer()),
            null,
            "The server in use, of an upstream with backups: 0 is its EndpointUrl, 1 the first of its BackupUrls.");
        Meter.CreateObservableGauge(
            "gateway_upstream_standby_items", static () => _all.SelectMany(static one => one.MeasureStandbyItems()),
            null, "Items that sample along at a server that stands by, so that it takes over without a gap.");
        Meter.CreateObservableGauge(
            "gateway_upstream_standby_ready", static () => _all.SelectMany(static one => one.MeasureStandbyReady()),
            null,
            "Of an upstream that is hot now: 1 while a server that stands by has all items, 0 while none has. Others "
                + "have no series.");
    }

    private static void CreateLoad()
    {
        Meter.CreateObservableCounter(
            "gateway_upstream_refused_total", static () => _all.SelectMany(static one => one.MeasureRefusals()), null,
            "Wishes of clients that were refused because the load budget of the upstream was used up.");
        Meter.CreateObservableCounter(
            "gateway_upstream_load_cuts_total", static () => _all.SelectMany(static one => one.MeasureCuts()), null,
            "Times that the upstream was asked for less because it had too much to do.");
        Meter.CreateObservableGauge(
            "gateway_upstream_pace_ratio", static () => _all.SelectMany(static one => one.MeasurePace()), null,
            "The share of its load budget's rates that the upstream gets now: 1 is all.");
        Show("gateway_upstream_concurrency", static one => one.Load?.Concurrency ?? 0,
            "Requests that the gateway sends to the upstream at a time, at most, now.");
        Show("gateway_upstream_waiting_requests", static one => one.Load?.Waiting ?? 0,
            "Requests that wait for their turn at the upstream now.");
    }

    /// <summary>With the tag of its upstream.</summary>
    public static Histogram<double> Durations => _durations.Histogram;

    /// <summary>Upstreams have gone for good. OpenTelemetry keeps each series of a histogram as long as its instrument,
    /// so this one ends and another begins: those of the others count from 0, as after a restart.</summary>
    public static void BeginDurationsAnew()
    {
        lock (Anew)
        {
            // In this order: a second instrument of the name would be one with the first, and end with it.
            _durations.Dispose();
            _durations = new DurationMeter();
        }
    }

    /// <summary>A server has connected to us.</summary>
    public static void Reversed(ReverseOutcome outcome) => Interlocked.Increment(ref Reverses[(int)outcome]);

    public static void Add(UpstreamMetrics metrics) =>
        ImmutableInterlocked.Update(ref _all, static (all, one) => all.Add(one), metrics);

    public static void Remove(UpstreamMetrics metrics) =>
        ImmutableInterlocked.Update(ref _all, static (all, one) => all.Remove(one), metrics);

    private static void Count(string name, Func<UpstreamMetrics, long> value, string description) =>
        Meter.CreateObservableCounter(
            name, () => _all.Select(one => new Measurement<long>(value(one), one.Tag)), null, description);

    private static IEnumerable<Measurement<long>> MeasureReverses() =>
        Outcomes.Select(static (outcome, i) => new Measurement<long>(
            Volatile.Read(ref Reverses[i]), new KeyValuePair<string, object?>("outcome", outcome)));

    private static void Show(string name, Func<UpstreamMetrics, int> value, string description) =>
        Meter.CreateObservableGauge(
            name, () => _all.Select(one => new Measurement<int>(value(one), one.Tag)), null, description);

    /// <summary>A meter for the one histogram: it ends alone. The present one is never disposed of.</summary>
    private sealed class DurationMeter : IDisposable
    {
        private readonly Meter _meter = new(MeterName);

        public DurationMeter() => Histogram = _meter.CreateHistogram<double>(
            "gateway_upstream_request_duration_seconds", "s",
            "From a request to the upstream, other than Publish, to its answer.", [],
            new InstrumentAdvice<double> { HistogramBucketBoundaries = DurationBounds });

        public Histogram<double> Histogram { get; }

        public void Dispose() => _meter.Dispose();
    }
}
