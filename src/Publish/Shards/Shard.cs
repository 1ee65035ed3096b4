using System.Collections.Concurrent;
using System.Diagnostics;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Pooling;
using Gateway.Events.Changes;
using Gateway.Events.Delivery;
using Gateway.Publish.Items;
using Gateway.Publish.Notifications;
using Gateway.Publish.Quotas;
using Gateway.Publish.Streams;
using Gateway.Publish.Subscriptions;
using Gateway.Transport;
using Gateway.Transport.Timing;

namespace Gateway.Publish.Shards;

/// <summary>
/// One loop and one timing wheel for the consumers that hash to it. <see cref="RunOnce"/> is the body of the loop: it
/// hands changes to items, then sweeps the consumers whose subscriptions are due (<see cref="ShardSweep"/>), one slice
/// of <see cref="Lock"/> each. Service calls take the same lock on their own threads. Owner:
/// <see cref="PublishEngine"/>. Only the loop's thread (in a test: the test) calls RunOnce.
/// Lock order: shard → session's gate → channel; shard → event hub → event inbox; stripe and
/// inbox of the value store are never held around it.
/// </summary>
internal sealed class Shard : IDisposable
{
    /// <summary>The loop looks at posted deadlines at least this often, and at refreshes that rest.</summary>
    public const long MaxWait = 250 * TimeSpan.TicksPerMillisecond;

    /// <summary>Slices of changes before due sessions get their turn again.</summary>
    private const int MaxChangeSlices = 64;

    /// <summary>Slices of visits before due sessions get their turn again.</summary>
    private const int MaxVisitSlices = 4;

    /// <summary>Slices of events before due sessions get their turn again.</summary>
    private const int MaxEventSlices = 4;

    /// <summary>Slices of refreshes before due sessions get their turn again.</summary>
    private const int MaxRefreshSlices = 4;

    /// <summary>Slices of the loop between two looks at those that wait for the lock.</summary>
    private const int SlicesBeforeOthers = 4;

    /// <summary>Until the loop goes on although one waits for the lock: in 50 µs a thread wakes, on a core that is
    /// free. On a busy machine one look may take a turn of the system's scheduler: so looks are no bound.</summary>
    private static readonly long MostWait = Stopwatch.Frequency / 20_000;

    /// <summary>Of a millisecond.</summary>
    private const int WheelSlots = 4096;

    private readonly TimingWheel _wheel;
    private readonly MonotonicClock _clock;
    private readonly PublishCounters _counters;
    private readonly QuotaBook _quotas;
    private readonly SubscriptionTable _table;
    private readonly ConcurrentQueue<PublishSession> _postedDeadlines = new();
    private readonly AutoResetEvent _bell = new(false);
    private readonly ShardSweep _sweep;
    private long _sleepingUntil;
    private int _waiting;
    private int _slices;

    public Shard(
        int index,
        NodeTable nodes,
        ValueStore store,
        PublishLimits limits,
        MonotonicClock clock,
        PublishCounters counters,
        QuotaBook quotas,
        SubscriptionTable table,
        NodeSampler sampler,
        SourceRates rates,
        EventHub events,
        SemanticChangeEvents semantics)
    {
        _quotas = quotas;
        _table = table;
        Index = index;
        _clock = clock;
        _counters = counters;
        _wheel = new TimingWheel(clock.Now, TimeSpan.TicksPerMillisecond, WheelSlots);
        Store = store;
        Inbox = store.OpenInbox(limits.MaxPendingChangesPerShard, Wake);
        Values = new ItemValues(store, Counts, limits);
        Events = new EventRouter(events, events.OpenInbox(limits.MaxPendingEventsPerShard, Wake), Values);
        Changes = new ChangeRouter(nodes, store, Inbox, sampler, rates, Values, clock, Events, semantics);
        Visits = new ItemVisits(this, new ItemStart(nodes, store, clock, counters), counters, clock);
        Leaving = new LeavingItems(this, quotas);
        _sweep = new ShardSweep(this, _wheel, clock, counters);
        Buffer = new PooledBuffer(MessageLayout.Headroom);
        Sender = new PublishSender(new PublishResponseWriter(Buffer, limits), Counts, clock, counters);
    }

    public int Index { get; }

    public Lock Lock { get; } = new();

    public ValueStore Store { get; }

    public ShardCounts Counts { get; } = new();

    public ChangeInbox Inbox { get; }

    public ChangeRouter Changes { get; }

    public ItemValues Values { get; }

    public EventRouter Events { get; }

    public ItemVisits Visits { get; }

    public LeavingItems Leaving { get; }

    public PublishSender Sender { get; }

    public StreamBatchPool Batches { get; } = new();

    /// <summary>Subscriptions and deadlines that the wheel will wake.</summary>
    public int Scheduled
    {
        get
        {
            lock (Lock)
                return _wheel.Count;
        }
    }

    /// <summary>The message under construction; under the lock.</summary>
    private PooledBuffer Buffer { get; }

    /// <summary>The loop, until <see cref="PublishEngine"/> stops.</summary>
    public void Run(CancellationToken stopping)
    {
        while (!stopping.IsCancellationRequested)
        {
            var wait = RunGuarded();
            if (wait > 0)
                Sleep(wait);
        }
    }

    /// <summary>One turn. Returns the engine ticks until the next is due, 0 for at once.</summary>
    public long RunOnce()
    {
        var more = HandOutChanges();
        more |= HandOutEvents();
        more |= FeedRefreshes();
        more |= Leaving.Step();
        more |= VisitItems();
        lock (Lock)
        {
            _sleepingUntil = 0;
            ScheduleDeadlinesUnderLock();
            _sweep.WakeDueUnderLock(_clock.Now);
        }

        _sweep.Run();
        var now = _clock.Now;
        lock (Lock)
        {
            Values.Parts.Clear();
            if (more || Events.HasFeeds || _sweep.HasLineUnderLock)
                return 0;
            _sleepingUntil = _wheel.NextDue(now, MaxWait);
        }

        return Math.Max(0, _sleepingUntil - now);
    }

    public void ScheduleUnderLock(TimerEntry entry)
    {
        _wheel.Remove(entry);
        _wheel.Add(entry);
        if (entry.Due < _sleepingUntil)
            Wake();
    }

    public void UnscheduleUnderLock(TimerEntry entry) => _wheel.Remove(entry);

    /// <summary>One of the consumer's entries is about to be due: it is swept in this turn.</summary>
    public void SetDueUnderLock(Consumer consumer) => _sweep.SetDueUnderLock(consumer);

    /// <summary>The consumer's next message is long: the loop has it hand over behind those that are due.</summary>
    public void JoinLineUnderLock(Consumer consumer, long now)
    {
        _sweep.JoinLineUnderLock(consumer, now);
        if (_sleepingUntil > 0)
            Wake();
    }

    /// <summary>The lock, for a service call: the loop lets it in between two slices. Without that the loop, which
    /// takes the lock again at once, has it for a tenth of a second while a socket's thread waits, and with it all
    /// other clients of that thread.</summary>
    public Lock.Scope Enter()
    {
        Interlocked.Increment(ref _waiting);
        try
        {
            return Lock.EnterScope();
        }
        finally
        {
            Interlocked.Decrement(ref _waiting);
        }
    }

    /// <summary>Between two slices, without the lock.</summary>
    public void LetOthersIn()
    {
        if (++_slices < SlicesBeforeOthers)
            return;
        _slices = 0;
        if (Volatile.Read(ref _waiting) == 0)
            return;
        var spin = default(SpinWait);
        var until = Stopwatch.GetTimestamp() + MostWait;
        while (Volatile.Read(ref _waiting) > 0 && Stopwatch.GetTimestamp() < until)
            spin.SpinOnce(sleep1Threshold: -1);
    }

    /// <summary>Has the loop schedule the session's earliest deadline, without the lock. Once until it has.</summary>
    public void PostDeadline(PublishSession session) => _postedDeadlines.Enqueue(session);

    public void Wake() => _bell.Set();

    /// <summary>So many engine ticks at most. True: <see cref="Wake"/> has ended it.</summary>
    internal bool Sleep(long ticks) =>
        _bell.WaitOne((int)Math.Ceiling((double)ticks / TimeSpan.TicksPerMillisecond));

    public void Dispose()
    {
        _bell.Dispose();
        Buffer.Dispose();
    }

    /// <summary>Takes a subscription out of everything; its session keeps nothing of it. The items of a large one go
    /// on being counted until the loop has let them go, a slice at a time.</summary>
    public void RemoveUnderLock(Subscription subscription)
    {
        _wheel.Remove(subscription);
        _table.Remove(subscription);
        _quotas.Detached.Remove(subscription);
        subscription.Durable?.OnEnded();
        var consumer = subscription.Consumer;
        subscription.Close();
        lock (consumer.Gate)
        {
            consumer.Subscriptions.Remove(subscription);
            _counters.AddRetransmissionBytes(-subscription.Retransmission.Bytes);
            subscription.Retransmission.Clear();
        }

        _quotas.ReleaseSubscription(consumer);
        Leaving.AddUnderLock(subscription);
        consumer.LeaveHoldersUnderLock();
    }

    /// <summary>One slice of the visits that wait; a consumer whose last one has ended is served again. Any thread.
    /// False: none waits.</summary>
    public bool TryVisitItems()
    {
        INotificationOutput? output = null;
        using (Enter())
        {
            if (!Visits.StepUnderLock(out var freed))
                return false;
            if (freed is not null && freed.ServeUnderLock(_clock.Now))
                output = freed.Output;
        }

        output?.Flush();
        return true;
    }

    /// <summary>Changes that have arrived by now reach their items, a slice of the lock at a time. Any thread. True
    /// when the shard cannot keep up and more wait.</summary>
    /// <param name="most">Slices.</param>
    public bool HandOutChanges(int most = MaxChangeSlices)
    {
        for (var slice = 0; slice < most; slice++)
        {
            using (Enter())
            {
                if (!Changes.StepUnderLock())
                    return false;
            }

            LetOthersIn();
        }

        return true;
    }

    /// <summary>As <see cref="HandOutChanges"/>.</summary>
    private bool HandOutEvents()
    {
        for (var slice = 0; slice < MaxEventSlices; slice++)
        {
            lock (Lock)
            {
                if (!Events.StepUnderLock())
                    return false;
            }

            LetOthersIn();
        }

        return true;
    }

    /// <summary>Some slices of the refreshes that can go on. True when there is more.</summary>
    private bool FeedRefreshes()
    {
        for (var slice = 0; slice < MaxRefreshSlices; slice++)
        {
            lock (Lock)
            {
                if (slice == 0)
                    Events.EndRestUnderLock(_clock.Now);
                if (!Events.FeedUnderLock(out var ready))
                    return false;
                if (ready is not null)
                    _sweep.SetDueUnderLock(ready);
            }

            LetOthersIn();
        }

        return true;
    }

    /// <summary>Some slices of the visits that wait. True when there is more.</summary>
    private bool VisitItems()
    {
        for (var slice = 0; slice < MaxVisitSlices; slice++)
        {
            if (!TryVisitItems())
                return false;
            LetOthersIn();
        }

        return true;
    }

    private void ScheduleDeadlinesUnderLock()
    {
        while (_postedDeadlines.TryDequeue(out var session))
        {
            lock (session.Gate)
            {
                session.IsDeadlinePosted = false;
                session.Deadline.Due = session.ScheduledDeadline;
            }

            if (!session.IsClosed)
                ScheduleUnderLock(session.Deadline);
        }
    }

    /// <summary>The last resort: an error of ours outside a session's sweep costs the change it met, not the shard.
    /// </summary>
    private long RunGuarded()
    {
        try
        {
            return RunOnce();
        }
#pragma warning disable CA1031 // A fault of any kind must not stop the shard's sessions.
        catch (Exception error)
#pragma warning restore CA1031
        {
            _counters.OnSweepFailed(error);
            lock (Lock)
            {
                Changes.SkipUnderLock();
                Events.SkipUnderLock();
            }

            return TimeSpan.TicksPerMillisecond;
        }
    }
}
