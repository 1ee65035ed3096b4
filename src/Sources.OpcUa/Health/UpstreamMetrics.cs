using System.Diagnostics.Metrics;
using Gateway.Admission.Stages;
using Gateway.Client;
using Gateway.Events.Conditions;
using Gateway.Sources.OpcUa.Load;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources.OpcUa.Health;

/// <summary>One upstream's counts, which <see cref="UpstreamInstruments"/> shows until it is disposed of; the label is
/// its configured name. Threads: any.</summary>
internal sealed class UpstreamMetrics : IDisposable
{
    private static readonly UpstreamBound[] Bounds = Enum.GetValues<UpstreamBound>();
    private static readonly string[] BoundLabels = EnumLabels.Of<UpstreamBound>();

    private static readonly ResumeKind[] Kinds = Enum.GetValues<ResumeKind>();
    private static readonly string[] KindLabels = EnumLabels.Of<ResumeKind>();

    private static readonly LoadBudget[] Budgets = Enum.GetValues<LoadBudget>();
    private static readonly string[] BudgetLabels = EnumLabels.Of<LoadBudget>();

    private static readonly DriftKind[] Drifts = Enum.GetValues<DriftKind>();
    private static readonly string[] DriftLabels = EnumLabels.Of<DriftKind>();

    private static readonly string[] CauseLabels = EnumLabels.Of<LoadCause>();

    private readonly long[] _bounds = new long[Bounds.Length];
    private readonly TimeProvider _time;
    private readonly RequestLatency _latency = new();
    private Func<int>? _activeItems;
    private Func<int>? _cyclicItems;
    private UpstreamLoad? _load;
    private Func<DriftReport?>? _drift;
    private Func<RedundancyReport?>? _redundancy;
    private readonly long[] _resumes = new long[Kinds.Length];
    private long _connects;
    private long _recovered;
    private long _gaps;
    private long _failures;
    private long _notifications;
    private long _lost;
    private long _breaks;
    private long _events;
    private long _refusedEvents;
    private ConditionMirror? _conditions;
    private long _heard;
    private volatile bool _connected;
    private volatile bool _isInsecure;

    public UpstreamMetrics(string upstream, bool isInsecure, TimeProvider time)
    {
        _time = time;
        _isInsecure = isInsecure;
        Tag = new KeyValuePair<string, object?>("upstream", upstream);
        UpstreamInstruments.Add(this);
    }

    public KeyValuePair<string, object?> Tag { get; }

    /// <summary>Of the configuration in force.</summary>
    public bool IsInsecure { get => _isInsecure; set => _isInsecure = value; }

    public bool IsConnected => _connected;

    public long Connects => Volatile.Read(ref _connects);

    public long ConnectFailures => Volatile.Read(ref _failures);

    public long Notifications => Volatile.Read(ref _notifications);

    public long LostMessages => Volatile.Read(ref _lost);

    public long RecoveredMessages => Volatile.Read(ref _recovered);

    public long Gaps => Volatile.Read(ref _gaps);

    public long CircuitBreaks => Volatile.Read(ref _breaks);

    public long Events => Volatile.Read(ref _events);

    /// <summary>That could not be taken: too many, too large, or without what an event must have.</summary>
    public long RefusedEvents => Volatile.Read(ref _refusedEvents);

    public int Conditions => Volatile.Read(ref _conditions)?.Count ?? 0;

    public int ActiveItems => Volatile.Read(ref _activeItems)?.Invoke() ?? 0;

    public GateState? Load => Volatile.Read(ref _load)?.State;

    public int CyclicItems => Volatile.Read(ref _cyclicItems)?.Invoke() ?? 0;

    public void Watch(Func<int> activeItems, Func<int> cyclicItems, UpstreamLoad load)
    {
        Volatile.Write(ref _cyclicItems, cyclicItems);
        Volatile.Write(ref _activeItems, activeItems);
        Volatile.Write(ref _load, load);
    }

    public void WatchRedundancy(Func<RedundancyReport?> redundancy) => Volatile.Write(ref _redundancy, redundancy);

    public long Failovers => Volatile.Read(ref _redundancy)?.Invoke()?.Failovers ?? 0;

    /// <summary>Nothing of an upstream that is one server alone.</summary>
    public IEnumerable<Measurement<int>> MeasureServiceLevel() =>
        Volatile.Read(ref _redundancy)?.Invoke()?.Servers
            .Where(static one => one is { State: "active", ServiceLevel: not null })
            .Select(one => new Measurement<int>(one.ServiceLevel!.Value, Tag)) ?? [];

    /// <summary>As above; nothing either where none is in use.</summary>
    public IEnumerable<Measurement<int>> MeasureActiveServer() =>
        Volatile.Read(ref _redundancy)?.Invoke()?.Servers.Index()
            .Where(static one => one.Item.State == "active")
            .Select(one => new Measurement<int>(one.Index, Tag)) ?? [];

    /// <summary>As above.</summary>
    public IEnumerable<Measurement<int>> MeasureStandbyItems() =>
        Volatile.Read(ref _redundancy)?.Invoke() is { } report
            ? [new Measurement<int>(report.Servers.Sum(static one => one.StandbyItems ?? 0), Tag)]
            : [];

    /// <summary>Nothing where the set is not hot.</summary>
    public IEnumerable<Measurement<int>> MeasureStandbyReady() =>
        Volatile.Read(ref _redundancy)?.Invoke() is { IsHot: true } report
            ? [new Measurement<int>(report.Servers.Any(static one => one.StandbyItems is not null) ? 1 : 0, Tag)]
            : [];

    public void WatchDrift(Func<DriftReport?> drift) => Volatile.Write(ref _drift, drift);

    public void WatchConditions(ConditionMirror mirror) => Volatile.Write(ref _conditions, mirror);

    public UpstreamCounts Counts => new()
    {
        Connects = Connects,
        ConnectFailures = ConnectFailures,
        Notifications = Notifications,
        LostMessages = LostMessages,
        CircuitBreaks = CircuitBreaks,
        Resumed = Resumes(ResumeKind.SameSession),
        Transferred = Resumes(ResumeKind.Transferred),
        RecoveredMessages = RecoveredMessages,
        Gaps = Gaps,
        Events = Events,
        RefusedEvents = RefusedEvents,
        Conditions = Conditions,
        MonitoredItems = ActiveItems,
        CyclicItems = CyclicItems,
    };

    public LatencyReport? Latency => _latency.Read();

    public void Answered(TimeSpan took)
    {
        _latency.Add(took);
        UpstreamInstruments.Durations.Record(took.TotalSeconds, Tag);
    }

    public void Connected()
    {
        Heard();
        _connected = true;
    }

    /// <summary>Not one that goes on upon another connection.</summary>
    public void SessionMade() => Interlocked.Increment(ref _connects);

    /// <summary>After a lost connection the subscription goes on.</summary>
    /// <param name="kind">By which session.</param>
    /// <param name="messages">That Republish brought.</param>
    public void Resumed(ResumeKind kind, long messages)
    {
        Interlocked.Increment(ref _resumes[(int)kind]);
        Interlocked.Add(ref _recovered, messages);
    }

    /// <summary>The subscription is gone: changes of items were lost, and nobody knows how many.</summary>
    public void ResumedWithGap(ResumeKind kind)
    {
        Interlocked.Increment(ref _resumes[(int)kind]);
        Interlocked.Increment(ref _gaps);
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

    public void EventsCame(int events)
    {
        Heard();
        Interlocked.Add(ref _events, events);
    }

    public void EventRefused() => Interlocked.Increment(ref _refusedEvents);

    public void Lost(uint messages) => Interlocked.Add(ref _lost, messages);

    public void CircuitBroke() => Interlocked.Increment(ref _breaks);

    public void Met(UpstreamBound bound) => Interlocked.Increment(ref _bounds[(int)bound]);

    public long Resumes(ResumeKind kind) => Volatile.Read(ref _resumes[(int)kind]);

    public IReadOnlyList<(UpstreamBound Bound, long Count)> BoundsMet() =>
        [.. Bounds.Select(bound => (bound, Volatile.Read(ref _bounds[(int)bound]))).Where(met => met.Item2 > 0)];

    public void Dispose() => UpstreamInstruments.Remove(this);

    /// <summary>Nothing while it is away: gateway_upstream_connected says that.</summary>
    public IEnumerable<Measurement<double>> MeasureSilence() => _connected
        ? [new Measurement<double>(_time.GetElapsedTime(Volatile.Read(ref _heard)).TotalSeconds, Tag)]
        : [];

    public IEnumerable<Measurement<long>> MeasureResumes() => Kinds.Select(kind => new Measurement<long>(
        Resumes(kind), Tag, new KeyValuePair<string, object?>("kind", KindLabels[(int)kind])));

    public IEnumerable<Measurement<long>> MeasureRefusals() => Budgets.Select(budget => new Measurement<long>(
        Volatile.Read(ref _load)?.RefusedFor(budget) ?? 0,
        Tag, new KeyValuePair<string, object?>("budget", BudgetLabels[(int)budget])));

    public IEnumerable<Measurement<long>> MeasureCuts() => CauseLabels.Select((cause, i) => new Measurement<long>(
        Load?.Cuts[i] ?? 0, Tag, new KeyValuePair<string, object?>("cause", cause)));

    public IEnumerable<Measurement<int>> MeasureDrift()
    {
        var report = Volatile.Read(ref _drift)?.Invoke();
        return Drifts.Select(kind => new Measurement<int>(
            report?.Counts.FirstOrDefault(one => one.Kind == kind).Count ?? 0,
            Tag, new KeyValuePair<string, object?>("kind", DriftLabels[(int)kind])));
    }

    /// <summary>Nothing before the upstream has a budget.</summary>
    public IEnumerable<Measurement<double>> MeasurePace() =>
        Load is { } load ? [new Measurement<double>(load.Pace, Tag)] : [];

    public IEnumerable<Measurement<long>> MeasureBounds() => Bounds.Select(bound => new Measurement<long>(
        Volatile.Read(ref _bounds[(int)bound]),
        Tag, new KeyValuePair<string, object?>("bound", BoundLabels[(int)bound])));
}
