using Gateway.AddressSpace.Values;
using Gateway.Publish.Items;
using Gateway.Publish.Notifications;
using Gateway.Publish.Shards;
using Gateway.Transport.Timing;

namespace Gateway.Publish.Subscriptions;

/// <summary>
/// State machine of a subscription (Part 4 §5.14.1.2, the table's rows are named in the code). Shape: its times, the
/// items by id, the items with something to report (<see cref="DirtyItems"/>: a sweep walks nothing else), the items
/// whose change waits for its sampling time, and the messages that are not acknowledged yet.
/// Owner: the shard, under its lock; <see cref="Retransmission"/> under the session's gate. The wheel wakes it once a
/// publishing interval at absolute times. <see cref="IsReady"/> means that it wants a Publish request now: it is LATE,
/// or it has more than went into the last message.
/// </summary>
internal sealed class Subscription : TimerEntry
{
    /// <summary>First cycles fall on this grid of the engine's clock, at most 10 ms later than asked for: all
    /// subscriptions of usual intervals stay on it, so that a shard wakes a hundred times a second for them and not
    /// once for each.</summary>
    private const long PhaseTicks = 10 * TimeSpan.TicksPerMillisecond;

    public DirtyItems DirtyItems;
    public ItemList<SampleLink> Samples;

    /// <summary>For diagnostics.</summary>
    public SubscriptionCounts Counts;

    private uint _lifetimeCounter;
    private uint _keepAliveCounter;
    private long _seenArrivals;
    private MonitoredItem? _nextSample;
    private NotificationKind _leading;
    private SubscriptionTimes _times;

    public Subscription(uint id, Consumer consumer, RetransmissionQueue retransmission)
    {
        Id = id;
        Consumer = consumer;
        Retransmission = retransmission;
    }

    public uint Id { get; }

    /// <summary>Another one after a transfer; a closed one when the client left its subscriptions behind.</summary>
    public Consumer Consumer { get; set; }

    public Shard Shard => Consumer.Shard;

    public RetransmissionQueue Retransmission { get; }

    public ItemTable Items { get; } = new();

    /// <summary>The sum of its items' queue sizes.</summary>
    public long QueueCapacity { get; set; }

    /// <summary>Its notes for the next save; null for one that is not durable.</summary>
    public DurableState? Durable { get; set; }

    /// <summary>It is on its way to another shard, a part of its items ahead; null: it is not.</summary>
    public AwayChanges? Away { get; set; }

    /// <summary>All its items are being visited; null: they are not.</summary>
    public ItemVisit? Visit { get; private set; }

    /// <summary>Its queues may hold values that its session's user may not read.</summary>
    public bool IsUnderReview => Visit is { } visit && visit.Kinds.HasFlag(ItemVisitKinds.Review);

    /// <summary>Messages may hold events that not everybody may have, of an item that is gone or disabled.</summary>
    public bool HasLeftGuarded { get; set; }

    /// <summary>The last refresh of its conditions; null: there was none.</summary>
    public RefreshRun? Refresh { get; set; }

    public uint LastItemId { get; set; }

    /// <summary>The table's, while it is there.</summary>
    public int Place { get; set; }

    /// <summary>Setting them starts the cycle anew; see <see cref="ResetTimes"/>.</summary>
    public SubscriptionTimes Times => _times;

    public long IntervalTicks { get; private set; }

    /// <summary>Bounded by the limits; never 0.</summary>
    public int MaxNotificationsPerPublish { get; set; }

    public byte Priority { get; set; }

    public bool PublishingEnabled { get; private set; }

    public SubscriptionState State { get; private set; }

    /// <summary>The first message after creation is due at the first cycle, also with nothing to report.</summary>
    public bool MessageSent { get; private set; }

    /// <summary>The last message did not hold all there was.</summary>
    public bool MoreNotifications { get; private set; }

    public bool IsReady { get; private set; }

    /// <summary>Rises with each message of the session: the lowest among equals is served next.</summary>
    public long LastServed { get; set; }

    /// <summary>The next NotificationMessage's; 1 after the highest, never 0.</summary>
    public uint NextSequenceNumber { get; set; } = 1;

    /// <summary>The session's next subscription that is due in the same sweep.</summary>
    public Subscription? NextDue { get; set; }

    public bool HasNotifications => HasContent && Durable is not { HasNumber: false };

    public uint LifetimeCounter => _lifetimeCounter;

    private bool HasContent => PublishingEnabled && !DirtyItems.IsEmpty;

    /// <summary>Cycles since the last message; they end with a keep-alive.</summary>
    public uint SilentCycles => _times.MaxKeepAliveCount - _keepAliveCounter;

    public void ResetTimes(SubscriptionTimes times, long now)
    {
        _times = times;
        IntervalTicks = MonotonicClock.FromMilliseconds(times.PublishingIntervalMs);
        Due = (now + IntervalTicks + PhaseTicks - 1) / PhaseTicks * PhaseTicks;
        _keepAliveCounter = times.MaxKeepAliveCount;
        _nextSample = null;
        ResetLifetime();
    }

    /// <summary>As in the process before. Its times are set.</summary>
    public void Restore(uint lifetimeLeft, bool messageSent)
    {
        _lifetimeCounter = Math.Clamp(lifetimeLeft, 1, _times.LifetimeCount);
        MessageSent = messageSent;
    }

    /// <summary>Another lifetime; the cycle goes on.</summary>
    public void SetLifetime(uint count)
    {
        _times = _times with { LifetimeCount = count };
        ResetLifetime();
    }

    /// <summary>The cycle ends now, and the next one begins.</summary>
    public void BeDueAt(long now) => Due = (now + PhaseTicks - 1) / PhaseTicks * PhaseTicks;

    /// <summary>The client has shown that it is alive: a Publish, or any call that names the subscription.</summary>
    public void ResetLifetime() => _lifetimeCounter = _times.LifetimeCount;

    /// <summary>Row 19. A subscription that is LATE stays LATE and is answered with a keep-alive.</summary>
    public void SetPublishingEnabled(bool enabled)
    {
        PublishingEnabled = enabled;
        MoreNotifications = false;
        if (State != SubscriptionState.Late)
            SetReady(false);
    }

    public override void OnDue(long now)
    {
        Shard.SetDueUnderLock(Consumer);
        NextDue = Consumer.FirstDue;
        Consumer.FirstDue = this;
    }

    /// <summary>
    /// The publishing timer has expired (rows 6 to 9, 12, 14 to 17, 27). The next due time is absolute; cycles that the
    /// machine slept through are left out, and count as one. <see cref="TakeSamples"/> comes first. False: the lifetime
    /// is over.
    /// </summary>
    public bool Tick(long now)
    {
        Due += IntervalTicks;
        if (Due <= now)
            Due += ((now - Due) / IntervalTicks + 1) * IntervalTicks;
        // A client whose requests are held lives, also where they wait for their turn.
        if (Consumer.IsInLine || Consumer.Arrivals != _seenArrivals)
        {
            _seenArrivals = Consumer.Arrivals;
            ResetLifetime();
        }

        if (--_lifetimeCounter == 0)
            return false;
        if (Durable is { HasNumber: false } durable && HasContent)
            durable.CountNumberWait();
        if (IsReady)
            StayReady();
        else if (HasNotifications || !MessageSent || CountSilence() == 0)
            SetReady(true);
        else
            State = SubscriptionState.KeepAlive;
        return true;
    }

    /// <summary>Takes the changes whose sampling time has come, before the publishing timer expires: while Due is this
    /// sweep's, an item triggered now is triggered up to it.</summary>
    /// <param name="now">Of the sweep.</param>
    /// <param name="values">Of its shard.</param>
    /// <param name="work">Items that may be visited, the parts that are cut for them by their size; counted down.
    /// </param>
    /// <returns>False: there are more, with which the next call goes on.</returns>
    public bool TakeSamples(long now, ItemValues values, ref int work)
    {
        var until = now < Due ? Due : now;
        var item = _nextSample ?? Samples.First;
        _nextSample = null;
        while (item is not null)
        {
            if (work <= 0)
            {
                _nextSample = item;
                return false;
            }

            var before = values.Parts.Work;
            var next = ItemList<SampleLink>.After(item);
            if (item.TryTakeWaiting(until, IntervalTicks, values))
                Samples.Remove(item);
            work -= 1 + (int)(values.Parts.Work - before);
            item = next;
        }

        return true;
    }

    /// <summary>For an item that goes or is disabled.</summary>
    public void RemoveSample(MonitoredItem item)
    {
        if (ReferenceEquals(_nextSample, item))
            _nextSample = ItemList<SampleLink>.After(item);
        Samples.Remove(item);
    }

    /// <summary>Which kind of notification comes first in the next message: data changes, or where a message had no
    /// room for all, each kind in turn.</summary>
    public NotificationKind TakeLeadingKind() => _leading = MoreNotifications && _leading == NotificationKind.DataChange
        ? NotificationKind.Event
        : NotificationKind.DataChange;

    /// <summary>Hands waiting notifications over to a sink, items in the order in which they got something to report;
    /// those that have nothing left leave the list.</summary>
    /// <param name="kind">Of notification.</param>
    /// <param name="most">Of notifications.</param>
    /// <param name="sink">May have no room for more.</param>
    /// <returns>How many it took.</returns>
    public int Drain<TSink>(NotificationKind kind, int most, ref TSink sink)
        where TSink : struct, INotificationSink, allows ref struct
    {
        ref var dirty = ref DirtyItems.Of(kind);
        var isDurable = Durable is not null;
        var taken = 0;
        while (dirty.First is { } item)
        {
            var durable = isDurable ? item.ExtrasOrNull?.Durable : null;
            var watch = kind == NotificationKind.Event ? item.ExtrasOrNull?.Event : null;
            var notice = watch is null ? durable?.Notice : watch.Notice;
            if (notice is null && (item.Queue.Count == 0 || durable is { IsHeld: true }))
            {
                // One that is held waits with all that it has.
                if (watch is not null && item.Queue.Count == 0 && watch.OnDrained(item))
                    continue;
                item.EndTrigger();
                dirty.Remove(item);
                continue;
            }

            var next = notice is null ? item.Queue.Peek() : new QueuedValue(notice, NotificationBits.None);
            if (taken == most || !sink.HasRoomFor(next))
                break;
            // It leaves the queue once it is taken: where the sink fails, no other code would know of its reference.
            var bytes = durable is null ? 0 : DurableItem.BytesOf(next.Value);
            sink.Take(item, next);
            taken++;
            if (notice is not null)
            {
                watch?.OnNoticeTaken();
                durable?.OnTold();
                continue;
            }

            item.Queue.Dequeue();
            watch?.OnTaken(next.Bits, item.DiscardOldest);
            durable?.OnTaken(bytes);
        }

        return taken;
    }

    /// <summary>A refresh has brought the rest of the last message: it need not wait for the next cycle (row 5).
    /// True: it is ready.</summary>
    public bool GoOn()
    {
        if (State == SubscriptionState.Closed || !MessageSent || !HasNotifications)
            return false;
        MoreNotifications = true;
        SetReady(true);
        return true;
    }

    /// <summary>A Publish request was wanted and there was none (rows 8 and 17). More notifications than fitted are no
    /// reason before the next cycle (row 5).</summary>
    public void BecomeLate()
    {
        if (!MoreNotifications)
            EnterLate();
    }

    /// <summary>A message went out (rows 5 to 7, 10, 11, 14, 15).</summary>
    public void OnSent(bool notifications)
    {
        // Row 7: the keep-alive that a first cycle sends leaves it NORMAL.
        var isFirst = !MessageSent && State == SubscriptionState.Normal;
        MessageSent = true;
        MoreNotifications = notifications && HasNotifications;
        SetReady(MoreNotifications);
        State = notifications || isFirst ? SubscriptionState.Normal : SubscriptionState.KeepAlive;
        _keepAliveCounter = _times.MaxKeepAliveCount;
        ResetLifetime();
    }

    /// <summary>1 … 4,294,967,295, then 1 again. Source: Part 4 §7.9.</summary>
    public uint TakeSequenceNumber()
    {
        var taken = NextSequenceNumber;
        NextSequenceNumber = taken == uint.MaxValue ? 1 : taken + 1;
        Durable?.OnNumberTaken();
        return taken;
    }

    /// <summary>In place of the visit that has not ended, null: it has. As long as there is one, its session sends no
    /// values.</summary>
    public void SetVisit(ItemVisit? visit)
    {
        Consumer.PendingVisits += (visit is null ? 0 : 1) - (Visit is null ? 0 : 1);
        Visit = visit;
    }

    /// <summary>The session no longer counts it as ready. Returns whether it did.</summary>
    public bool LeaveUnderLock()
    {
        var wasReady = IsReady;
        _nextSample = null;
        SetReady(false);
        return wasReady;
    }

    /// <summary>In another session: a subscription that was LATE stays so.</summary>
    public void JoinUnderLock(bool isReady)
    {
        _seenArrivals = Consumer.Arrivals;
        LastServed = 0;
        SetReady(isReady);
    }

    public void Close()
    {
        SetReady(false);
        SetVisit(null);
        State = SubscriptionState.Closed;
    }

    /// <summary>Cycles that are left. 0 stays: the keep-alive was due and could not be sent yet.</summary>
    private uint CountSilence() => _keepAliveCounter == 0 ? 0 : --_keepAliveCounter;

    /// <summary>It is not LATE where requests are held, and it waits for its turn.</summary>
    private void StayReady()
    {
        if (!Consumer.IsInLine)
            EnterLate();
    }

    private void EnterLate()
    {
        if (State != SubscriptionState.Late)
            Counts.Late++;
        State = SubscriptionState.Late;
    }

    private void SetReady(bool ready)
    {
        if (IsReady != ready)
            Consumer.ReadySubscriptions += ready ? 1 : -1;
        IsReady = ready;
    }
}
