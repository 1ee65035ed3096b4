using Gateway.Client.Subscriptions;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Items;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Events;

/// <summary>The events of one subscription on their way to <see cref="UpstreamEvents"/>: a bounded queue, so that the
/// thread that also brings values never waits for filters (R42). An event that finds no room is lost, and then the
/// conditions are refreshed. Threads: the connection's writes, the loop of events reads.</summary>
internal sealed class EventIntake(
    UpstreamLimits limits, UpstreamMetrics metrics, TimeProvider time, double publishingIntervalMs)
    : ISubscriptionHandler
{
    /// <summary>Of events at the full rate: a burst of alarms is allowed.</summary>
    private const double SecondsAtOnce = 5;

    /// <summary>A field in memory against its bytes.</summary>
    private const int MemoryFactor = 4;
    private const int BytesOfField = 32;

    /// <summary>BaseModelChangeEventType, GeneralModelChangeEventType, SemanticChangeEventType. Source: Part 3 §9.32,
    /// Part 5 §6.4.31 to §6.4.33.</summary>
    private static readonly uint[] ModelChanges = [2132, 2133, 2738];

    private readonly Lock _lock = new();
    private readonly Queue<IncomingEvent> _queue = new();
    private readonly WorkSignal _signal = new(time);
    private readonly LeakyBucket _rate = new(time);
    private readonly EmptyPublishAllowance _emptyPublishes = new(limits, time, publishingIntervalMs);
    private long _bytes;
    private bool _hasLost;
    private volatile bool _hasEnded;
    private UpstreamBound? _flood;

    /// <summary>Called where an event says that the server's nodes have changed; on the connection's thread.</summary>
    public Action? OnModelChange { get; init; }

    /// <summary>By which they come; null: not made yet.</summary>
    public GrantedSubscription? Subscription { get; set; }

    /// <summary>The server has ended the subscription.</summary>
    public bool HasEnded => _hasEnded;

    /// <summary>The limit on what comes over time that it has met; null: none. Nothing is taken from then on.</summary>
    public UpstreamBound? Flood
    {
        get
        {
            lock (_lock)
                return _flood;
        }
    }

    /// <summary>Nothing waits.</summary>
    internal bool IsIdle
    {
        get
        {
            lock (_lock)
                return _queue.Count == 0;
        }
    }

    /// <summary>The subscription goes on upon another connection: the end of the last one was not its end.</summary>
    public void OnResuming() => _hasEnded = false;

    /// <summary>There is something to do beside events.</summary>
    public void Wake() => _signal.Set();

    public ValueTask WaitAsync(TimeSpan atMost, CancellationToken cancellation) =>
        _signal.WaitAsync(atMost, cancellation);

    public bool TryTake(out IncomingEvent next)
    {
        lock (_lock)
        {
            if (!_queue.TryDequeue(out next))
                return false;
            _bytes -= next.Bytes;
            return true;
        }
    }

    /// <summary>Events were lost since it was asked last.</summary>
    public bool TakeLoss()
    {
        lock (_lock)
        {
            var had = _hasLost;
            _hasLost = false;
            return had;
        }
    }

    public void OnDataChange(ClientSubscription subscription, ref DataChangeReader changes)
    {
    }

    public void OnEvents(ClientSubscription subscription, ref EventListReader events)
    {
        metrics.EventsCame(events.Count);
        var isOfModel = false;
        lock (_lock)
        {
            if (_flood is null && !_rate.TryAdd(
                events.Count, limits.MaxUpstreamEventsPerSecond, SecondsAtOnce * limits.MaxUpstreamEventsPerSecond))
                _flood = UpstreamBound.MaxUpstreamEventsPerSecond;
            while (_flood is null && events.TryRead(out _, out var fields, out var bytes))
            {
                isOfModel |= IsModelChange(fields);
                PutUnderLock(fields, bytes);
            }
        }

        if (isOfModel)
            OnModelChange?.Invoke();
        _signal.Set();
    }

    public void OnKeepAlive(ClientSubscription subscription) => metrics.Heard();

    public void OnNothingNew(ClientSubscription subscription)
    {
        if (_emptyPublishes.TryTake(1))
            return;
        lock (_lock)
            _flood ??= UpstreamBound.MaxUpstreamEmptyPublishes;
        _signal.Set();
    }

    public void OnStatusChange(ClientSubscription subscription, StatusCode status)
    {
        _hasEnded = true;
        _signal.Set();
    }

    public void OnLost(ClientSubscription subscription, uint firstSequenceNumber, uint count)
    {
        metrics.Lost(count);
        lock (_lock)
            _hasLost = true;
        _signal.Set();
        OnNothingNew(subscription);
    }

    private static bool IsModelChange(Variant[] fields) => fields.Length > MirroredFields.EventType &&
        fields[MirroredFields.EventType].AsNodeId() is { NamespaceIndex: 0, IdType: IdType.Numeric } type &&
        ModelChanges.Contains(type.Numeric);

    private void PutUnderLock(Variant[] fields, int bytes)
    {
        var held = ((long)bytes * MemoryFactor) + (fields.Length * BytesOfField);
        if (bytes > limits.MaxUpstreamEventBytes)
            LoseUnderLock(UpstreamBound.MaxUpstreamEventBytes);
        else if (_queue.Count >= limits.MaxUpstreamPendingEvents)
            LoseUnderLock(UpstreamBound.MaxUpstreamPendingEvents);
        else if (_bytes + held > limits.MaxUpstreamPendingEventBytes)
            LoseUnderLock(UpstreamBound.MaxUpstreamPendingEventBytes);
        else
        {
            _bytes += held;
            _queue.Enqueue(new IncomingEvent(fields, held));
        }
    }

    private void LoseUnderLock(UpstreamBound bound)
    {
        metrics.Met(bound);
        metrics.EventRefused();
        _hasLost = true;
    }
}
