using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Subscriptions;
using Gateway.Transport.Timing;

namespace Gateway.Publish.Items;

/// <summary>
/// State of a monitored item: the node and parameters, and the queue of its notifications; for values, also the last
/// one that was queued (which the filter compares with), and for a sampled item the change that waits for the next
/// sampling time. A change comes by <see cref="OnChange"/>; an item whose sampling interval is 0 takes it at once,
/// another one keeps the newest change of each sampling period: times are absolute and start with the subscription's
/// first cycle. The code that brings a value also brings the shard's <see cref="ItemValues"/>, which make and cut
/// values for it. Five million of them fit into a server: rare state lies in <see cref="ItemExtras"/>, small facts in
/// bytes. Owner: its subscription, under the shard's lock. It holds a reference to every value named here.
/// Source: Part 4 §5.13.1.
/// </summary>
internal sealed partial class MonitoredItem(Subscription subscription, uint id, AttributeId attribute)
{
    private const byte NotSet = byte.MaxValue;

    public ItemLink Dirty;
    public ItemLink Sample;
    public ItemQueue Queue;

    private readonly byte _attribute = (byte)attribute;
    private SharedValue? _last;
    private SharedValue? _waiting;
    private ItemExtras? _extras;
    private long _waitingUntil;
    private long _seenVersion;
    private double _deadband;
    private byte _mode = NotSet;
    private byte _trigger;
    private NotificationBits _bits;

    public Subscription Subscription { get; } = subscription;

    public uint Id { get; } = id;

    public AttributeId Attribute => (AttributeId)_attribute;

    /// <summary>Of what it reports. An event comes by <see cref="OnEvent"/>, all else in this class is about values.
    /// </summary>
    public NotificationKind Kind =>
        Attribute == AttributeId.EventNotifier ? NotificationKind.Event : NotificationKind.DataChange;

    /// <summary>Another one when a node comes back under its NodeId; the one that went as long as it is gone.</summary>
    public NodeHandle Node { get; set; }

    public uint ClientHandle { get; set; }

    public WireTimestamps Timestamps { get; set; }

    /// <summary>The subscription counts those that are disabled.</summary>
    public MonitoringMode Mode
    {
        get => (MonitoringMode)_mode;
        set
        {
            if (_mode == (byte)MonitoringMode.Disabled)
                Subscription.Counts.DisabledItems--;
            if (value == MonitoringMode.Disabled)
                Subscription.Counts.DisabledItems++;
            _mode = (byte)value;
        }
    }

    public bool DiscardOldest { get; set; }

    /// <summary>Its node is gone, or hidden from its user: it waits for the NodeId.</summary>
    public bool IsOrphan { get; set; }

    /// <summary>It takes its node's changes from the store.</summary>
    public bool WatchesValue => WatcherIndex >= 0 && Attribute == AttributeId.Value && !IsOrphan;

    /// <summary>It has gone to another shard ahead of its subscription; means nothing where the subscription is not on
    /// its way.</summary>
    public bool IsAway { get; set; }

    /// <summary>Its node is read for it by the sampler.</summary>
    public bool IsPolled { get; set; }

    /// <summary>Its node's source knows its rate.</summary>
    public bool IsRated { get; set; }

    /// <summary>Engine ticks; 0 takes every change.</summary>
    public long SamplingTicks { get; private set; }

    /// <summary>Where the sampling periods start.</summary>
    public long SamplingOrigin { get; private set; }

    /// <summary>Place among the watchers of its node; −1 while it does not watch.</summary>
    public int WatcherIndex { get; set; } = -1;

    /// <summary>Made where it is missing.</summary>
    public ItemExtras Extras => _extras ??= new ItemExtras();

    /// <summary>Null for none, which is the rule.</summary>
    public ItemExtras? ExtrasOrNull => _extras;

    /// <summary>A sampling item that a triggering one has released: its queued notifications go out.</summary>
    public bool IsTriggered { get; set; }

    /// <summary>The queue's content goes out with the next sweep.</summary>
    public bool IsReporting => Mode == MonitoringMode.Reporting || IsTriggered;

    /// <summary>A new SourceTimestamp alone is a change.</summary>
    public bool WantsTimestamps => _trigger == (byte)DataChangeTrigger.StatusValueTimestamp;

    /// <summary>The last value that was queued; its reference is the item's. Set where the item is restored.</summary>
    public SharedValue? Last { get => _last; set => _last = value; }

    public DataChangeCondition Condition => new((DataChangeTrigger)_trigger, _deadband);

    public void SetFilter(in DataChangeCondition condition, double percentDeadband)
    {
        _trigger = (byte)condition.Trigger;
        _deadband = condition.AbsoluteDeadband;
        if (!double.IsNaN(percentDeadband) || _extras is not null)
            Extras.PercentDeadband = percentDeadband;
    }

    /// <summary>A percent deadband follows the EURange; other items do not care.</summary>
    public void SetRange(double span)
    {
        if (_extras is { } extras && !double.IsNaN(extras.PercentDeadband))
            _deadband = extras.PercentDeadband / 100 * span;
    }

    /// <summary>A change that waits for a sampling time is taken first: the new periods know nothing of it.</summary>
    public void SetSampling(double intervalMs, long origin, ItemValues values)
    {
        TakeWaiting(values);
        SamplingTicks = intervalMs == 0 ? 0 : MonotonicClock.FromMilliseconds(intervalMs);
        SamplingOrigin = origin;
    }

    /// <summary>Between sampling and reporting: the queue stays, and goes out or stays where it is.</summary>
    public void OnModeChanged()
    {
        if (Mode != MonitoringMode.Reporting)
            _extras?.Event?.EndRefresh(isCut: true);
        if (!IsReporting)
            Subscription.DirtyItems.Remove(this);
        else if (Queue.Count > 0 || _extras?.Durable?.Notice is not null ||
            _extras?.Event is { Notice: not null } or { NeedsRefresh: true })
            Subscription.DirtyItems.Add(this);
    }

    /// <summary>The last value once more, where none waits to be reported.</summary>
    public void Resend(ItemValues values)
    {
        if (Mode != MonitoringMode.Reporting || Queue.Count > 0 || _last is null)
            return;
        _last.AddReference();
        Put(_last, NotificationBits.None, values);
        Subscription.DirtyItems.Add(this);
    }

    /// <summary>The node's current value after the item has changed over to another shard: changes between it and the
    /// last one seen are lost.</summary>
    public void CatchUp(SharedValue current, long now, ItemValues values)
    {
        var bits = current.Version > _seenVersion + 1 ? NotificationBits.Overflow : NotificationBits.None;
        TakeIn(current, bits, now, values);
    }

    /// <summary>A change of the node. Older ones than it has seen are passed over: two producers may have crossed.
    /// </summary>
    /// <param name="bits">Overflow: changes before this one were lost because the shard lagged.</param>
    /// <param name="arrival">When it came to the server, engine ticks.</param>
    /// <param name="values">Of the shard that brings it.</param>
    public void OnChange(SharedValue value, NotificationBits bits, long arrival, ItemValues values)
    {
        if (value.Version <= _seenVersion || Mode == MonitoringMode.Disabled)
            return;
        if (IsAway && Subscription.Away is { } away)
            away.Add(this, value, bits, arrival);
        else
            TakeNew(value, bits, arrival, values);
    }

    /// <summary>As <see cref="OnChange"/>, whether the item is away or not.</summary>
    public void TakeIn(SharedValue value, NotificationBits bits, long arrival, ItemValues values)
    {
        if (value.Version > _seenVersion)
            TakeNew(value, bits, arrival, values);
    }

    /// <summary>A value that is no change of the store: an attribute, or the status of a node that is gone. Filtered
    /// like a change. Takes over the reference.</summary>
    public void OnValue(SharedValue value, ItemValues values)
    {
        DropWaiting();
        Take(value, values);
    }

    /// <summary>The value's meaning or encoding has changed: the waiting change reports it to the client, otherwise the
    /// last value is sent once more.</summary>
    public void OnMeaningChanged(NotificationBits bits, ItemValues values)
    {
        if (IsAway && Subscription.Away is { } away)
            away.Add(this, null, bits, 0);
        else
            TakeInMeaning(bits, values);
    }

    /// <summary>As <see cref="OnMeaningChanged"/>, whether the item is away or not.</summary>
    public void TakeInMeaning(NotificationBits bits, ItemValues values)
    {
        if (_last is null)
            return;
        _bits |= bits;
        if (_waiting is not null)
            return;
        _last.AddReference();
        Accept(_last, values);
    }

    /// <summary>The first value after creation, after the item was enabled, or from the node that has come back:
    /// reported whatever the filter says. Takes over the reference.</summary>
    /// <param name="version">Changes up to this one are in the value.</param>
    public void TakeInitial(SharedValue value, long version, NotificationBits bits, ItemValues values)
    {
        _seenVersion = version;
        DropWaiting();
        _bits = bits;
        Accept(PartOf(value, values), values);
    }

    /// <summary>Nothing is known of its value yet: the first change is taken at once, as the initial value. When there
    /// is none until the given time, a sweep says so.</summary>
    public void AwaitInitial(long until, NotificationBits bits)
    {
        _seenVersion = 0;
        DropWaiting();
        _last?.Release();
        _last = null;
        _bits = bits;
        _waitingUntil = until;
        Subscription.Samples.Add(this);
    }

    /// <summary>Takes the change that waits where its sampling time has come, or where the item is sampled at least as
    /// often as its subscription publishes: its present values go out with the sweep. False: it goes on waiting.
    /// </summary>
    public bool TryTakeWaiting(long now, long publishingTicks, ItemValues values)
    {
        if (_waiting is not null)
        {
            if (SamplingTicks > publishingTicks && _waitingUntil > now)
                return false;
            TakeWaiting(values);
        }
        else if (_last is null)
        {
            if (_waitingUntil > now)
                return false;
            Take(values.Make(new DataValue(StatusCodes.BadWaitingForInitialData)), values);
        }

        return true;
    }

    /// <summary>Forgets the values: the item is disabled or goes away.</summary>
    public void Clear()
    {
        DropWaiting();
        _extras?.Durable?.OnClearing();
        Queue.Clear();
        Subscription.HasLeftGuarded |= _extras?.Event?.HadGuarded == true;
        _extras?.Event?.Clear();
        _last?.Release();
        _last = null;
        _bits = NotificationBits.None;
        EndTrigger();
        Subscription.RemoveSample(this);
        Subscription.DirtyItems.Remove(this);
    }

    /// <summary>The triggered report has been sent.</summary>
    public void EndTrigger()
    {
        IsTriggered = false;
        if (_extras is not null)
            _extras.TriggeredUntil = -1;
    }

    private void TakeNew(SharedValue value, NotificationBits bits, long arrival, ItemValues values)
    {
        _seenVersion = value.Version;
        value.AddReference();
        // The first value has been waited for long enough.
        if (SamplingTicks == 0 || _last is null)
        {
            _bits |= bits;
            Take(value, values);
            return;
        }

        var until = EndOfPeriod(arrival);
        if (_waiting is not null && _waitingUntil < until)
            TakeWaiting(values);
        _bits |= bits;
        _waiting?.Release();
        _waiting = value;
        _waitingUntil = until;
        Subscription.Samples.Add(this);
    }

    private long EndOfPeriod(long arrival)
    {
        var period = Math.Max(0, (arrival - SamplingOrigin + SamplingTicks - 1) / SamplingTicks);
        return SamplingOrigin + (period * SamplingTicks);
    }

    /// <summary>The change that waits for its sampling time, where there is one.</summary>
    public void TakeWaiting(ItemValues values)
    {
        if (_waiting is not { } value)
            return;
        _waiting = null;
        Take(value, values);
    }

    private void DropWaiting()
    {
        _waiting?.Release();
        _waiting = null;
    }

    private void Take(SharedValue whole, ItemValues values)
    {
        const NotificationBits Told = NotificationBits.SemanticsChanged | NotificationBits.StructureChanged;
        var value = PartOf(whole, values);
        if (_last is not null && (_bits & Told) == 0 && !Condition.IsMet(value, _last))
        {
            value.Release();
            return;
        }

        Accept(value, values);
    }

    /// <summary>Exchanges the reference to a value for one to the part that is watched.</summary>
    private SharedValue PartOf(SharedValue value, ItemValues values) =>
        _extras is null || _extras.Range.IsEmpty || value.EncodedVariant.IsEmpty
            ? value
            : values.ExchangeForPart(value, _extras.Range);

    private void Accept(SharedValue value, ItemValues values)
    {
        if (Kind == NotificationKind.Event)
        {
            // No client asked for the attribute's value, nor for the node's state.
            value.Release();
            return;
        }

        value.AddReference();
        _last?.Release();
        _last = value;
        var bits = _bits;
        _bits = NotificationBits.None;
        Enqueue(value, bits, values);
    }

    /// <summary>Of any kind. Takes over the reference.</summary>
    private void Enqueue(SharedValue content, NotificationBits bits, ItemValues values)
    {
        if (Put(content, bits, values))
            CountDiscarded(values);
        IsTriggered |= _extras?.TriggeredUntil == Subscription.Due;
        if (IsReporting)
            Subscription.DirtyItems.Add(this);
        _extras?.Trigger();
    }

    /// <summary>Into the queue. True where a value was discarded.</summary>
    private bool Put(SharedValue content, NotificationBits bits, ItemValues values) =>
        _extras?.Durable is { } durable
            ? durable.Enqueue(content, bits, values)
            : values.Enqueue(ref Queue, content, DiscardOldest, bits);

    /// <summary>In a queue of one a newer value is no overflow.</summary>
    private void CountDiscarded(ItemValues values)
    {
        Subscription.Counts.Discarded++;
        _extras?.Event?.OnDiscarded(atOnce: DiscardOldest || Queue.Size == 1);
        if (Queue.Size == 1)
            return;
        values.CountOverflow();
        Subscription.Counts.QueueOverflows++;
    }
}
