using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Items;

/// <summary>
/// State of a monitored item: what it watches, how, the queue of values to report, the last value that was queued
/// (which the filter compares with), and for a sampled item the change that waits for the next sampling time.
/// A change comes by <see cref="OnChange"/>; an item whose sampling interval is 0 takes it at once, another one keeps
/// the newest change of each sampling period: times are absolute and start with the subscription's first cycle.
/// Owner: its subscription, under the shard's lock. It holds a reference to every value named here.
/// Source: Part 4 §5.13.1.
/// </summary>
internal sealed class MonitoredItem(Subscription subscription, uint id, NodeHandle node, AttributeId attribute)
{
    private const MonitoringMode NotSet = (MonitoringMode)(-1);

    public ItemLink Dirty;
    public ItemLink Sample;
    public ItemQueue Queue;

    private MonitoringMode _mode = NotSet;
    private SharedValue? _last;
    private SharedValue? _waiting;
    private long _waitingPeriod;
    private bool _waitingLoss;
    private long _seenVersion;

    public Subscription Subscription { get; } = subscription;

    public uint Id { get; } = id;

    public NodeHandle Node { get; } = node;

    public AttributeId Attribute { get; } = attribute;

    public uint ClientHandle { get; set; }

    public WireTimestamps Timestamps { get; set; }

    /// <summary>The subscription counts those that are disabled.</summary>
    public MonitoringMode Mode
    {
        get => _mode;
        set
        {
            if (_mode == MonitoringMode.Disabled)
                Subscription.Counts.DisabledItems--;
            if (value == MonitoringMode.Disabled)
                Subscription.Counts.DisabledItems++;
            _mode = value;
        }
    }

    public DataChangeCondition Condition { get; set; } = DataChangeCondition.Default;

    public bool DiscardOldest { get; set; }

    /// <summary>As revised; 0 takes every change.</summary>
    public double SamplingIntervalMs { get; private set; }

    /// <summary>Engine ticks; 0 takes every change.</summary>
    public long SamplingTicks { get; private set; }

    /// <summary>Where the sampling periods start.</summary>
    public long SamplingOrigin { get; private set; }

    /// <summary>The part of the value that is watched; a part is encoded for this item alone.</summary>
    public NumericRange Range { get; init; }

    /// <summary>Place among the watchers of its node; −1 while it does not watch.</summary>
    public int WatcherIndex { get; set; } = -1;

    /// <summary>Items that report when this one does (SetTriggering); null for none, which is the rule.</summary>
    public List<MonitoredItem>? TriggeredItems { get; set; }

    /// <summary>A sampling item that a triggering one has released: what is queued now goes out.</summary>
    public bool IsTriggered { get; set; }

    /// <summary>The queue's content goes out with the next sweep.</summary>
    public bool IsReporting => Mode == MonitoringMode.Reporting || IsTriggered;

    /// <summary>A change that waits for a sampling time is taken first: the new periods know nothing of it.</summary>
    public void SetSampling(double intervalMs, long origin)
    {
        if (_waiting is not null)
            TakeWaiting();
        SamplingIntervalMs = intervalMs;
        SamplingTicks = intervalMs == 0 ? 0 : EngineClock.FromMilliseconds(intervalMs);
        SamplingOrigin = origin;
    }

    /// <summary>Between sampling and reporting: the queue stays, and goes out or stays where it is.</summary>
    public void OnModeChanged()
    {
        if (!IsReporting)
            Subscription.DirtyItems.Remove(this);
        else if (Queue.Count > 0)
            Subscription.DirtyItems.Add(this);
    }

    /// <summary>Bad while the session's user may not read what it watches: its only value.</summary>
    public StatusCode Denied { get; set; }

    /// <summary>The last value once more, where none waits to be reported.</summary>
    public void Resend()
    {
        if (Mode != MonitoringMode.Reporting || Queue.Count > 0 || _last is null)
            return;
        _last.AddReference();
        Queue.Enqueue(_last, DiscardOldest, lossBefore: false);
        Subscription.DirtyItems.Add(this);
    }

    /// <summary>The node's current value after the item has changed over to another shard: what lies between it and the
    /// last one seen is lost.</summary>
    public void CatchUp(SharedValue current, long now) =>
        OnChange(current, lossBefore: current.Version > _seenVersion + 1, now);

    /// <summary>A change of the node. Older ones than it has seen are passed over: two producers may have crossed.
    /// </summary>
    /// <param name="lossBefore">Changes before this one were lost because the shard lagged.</param>
    public void OnChange(SharedValue value, bool lossBefore, long now)
    {
        if (value.Version <= _seenVersion || Mode == MonitoringMode.Disabled)
            return;
        _seenVersion = value.Version;
        value.AddReference();
        if (SamplingTicks == 0)
        {
            Take(value, lossBefore);
            return;
        }

        var period = PeriodOf(now);
        if (_waiting is not null && _waitingPeriod < period)
            TakeWaiting();
        _waiting?.Release();
        _waiting = value;
        _waitingPeriod = period;
        _waitingLoss = lossBefore;
        Subscription.Samples.Add(this);
    }

    /// <summary>The first value after creation, or after the item was enabled again: reported whatever the filter says.
    /// Takes over the reference.</summary>
    public void TakeInitial(SharedValue value)
    {
        _seenVersion = Math.Max(_seenVersion, value.Version);
        DropWaiting();
        Accept(PartOf(value), lossBefore: false);
    }

    /// <summary>Takes the change that waits where its sampling time has come, or where the item is sampled at least as
    /// often as its subscription publishes: what is there at a sweep goes out with it. False: it goes on waiting.
    /// </summary>
    public bool TryTakeWaiting(long now, long publishingTicks)
    {
        if (_waiting is not null)
        {
            if (SamplingTicks > publishingTicks && SamplingOrigin + (_waitingPeriod * SamplingTicks) > now)
                return false;
            TakeWaiting();
        }

        return true;
    }

    /// <summary>Forgets the values: the item is disabled or goes away.</summary>
    public void Clear()
    {
        DropWaiting();
        Queue.Clear();
        _last?.Release();
        _last = null;
        IsTriggered = false;
        Subscription.Samples.Remove(this);
        Subscription.DirtyItems.Remove(this);
    }

    /// <summary>The sampling period that a time lies in: it ends at origin + period × interval.</summary>
    private long PeriodOf(long now) =>
        Math.Max(0, (now - SamplingOrigin + SamplingTicks - 1) / SamplingTicks);

    private void TakeWaiting()
    {
        var value = _waiting!;
        _waiting = null;
        Take(value, _waitingLoss);
    }

    private void DropWaiting()
    {
        _waiting?.Release();
        _waiting = null;
    }

    private void Take(SharedValue whole, bool lossBefore)
    {
        var value = PartOf(whole);
        if (_last is not null && !Condition.IsMet(value, _last))
        {
            value.Release();
            return;
        }

        Accept(value, lossBefore);
    }

    /// <summary>Exchanges the reference to a value for one to the part that is watched.</summary>
    private SharedValue PartOf(SharedValue value)
    {
        if (Range.IsEmpty || value.EncodedVariant.IsEmpty)
            return value;
        var whole = value.ToDataValue();
        value.Release();
        var status = Range.Apply(whole.Value, out var part);
        return Subscription.Shard.Store.Make(
            status.IsBad ? whole with { Value = default, Status = status } : whole with { Value = part });
    }

    private void Accept(SharedValue value, bool lossBefore)
    {
        value.AddReference();
        _last?.Release();
        _last = value;
        if (Queue.Enqueue(value, DiscardOldest, lossBefore) && Queue.Size > 1)
        {
            Subscription.Shard.Counts.Overflows++;
            Subscription.Counts.QueueOverflows++;
        }

        if (IsReporting)
            Subscription.DirtyItems.Add(this);
        if (TriggeredItems is not null)
            Trigger();
    }

    /// <summary>Source: Part 4 §5.13.1.6: the sampled items linked to this one report what they have.</summary>
    private void Trigger()
    {
        foreach (var item in TriggeredItems!)
        {
            if (item.Mode != MonitoringMode.Sampling || item.Queue.Count == 0)
                continue;
            item.IsTriggered = true;
            Subscription.DirtyItems.Add(item);
        }
    }
}
