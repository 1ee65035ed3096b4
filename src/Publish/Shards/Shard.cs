using System.Collections.Concurrent;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Pooling;
using Gateway.Publish.Items;
using Gateway.Publish.Notifications;
using Gateway.Publish.Quotas;
using Gateway.Publish.Services;
using Gateway.Publish.Sessions;
using Gateway.Publish.Subscriptions;
using Gateway.Transport.Conversation;
using Gateway.Transport.Timing;

namespace Gateway.Publish.Shards;

/// <summary>
/// One loop and one timing wheel for the sessions that hash to it. <see cref="RunOnce"/> is the body of the loop: it
/// hands changes to items, then sweeps the sessions whose subscriptions are due, one slice of <see cref="Lock"/> a
/// session, and flushes each session's channel once, outside the lock, a group of sessions at a time. Service calls
/// take the same lock on their own threads. Owner: <see cref="PublishEngine"/>. Only the loop's thread (in a test: the
/// test) calls RunOnce.
/// Lock order: shard → session's gate → channel; stripe and inbox of the value store are never held around it.
/// </summary>
internal sealed class Shard : IDisposable
{
    /// <summary>The loop looks at posted deadlines at least this often.</summary>
    private const long MaxWait = 250 * TimeSpan.TicksPerMillisecond;

    /// <summary>Slices of changes before due sessions get their turn again.</summary>
    private const int MaxChangeSlices = 64;

    /// <summary>Messages are sealed for so many sessions before they are sent: the kernel's way out and ours would
    /// otherwise throw each other out of the caches once a message.</summary>
    private const int FlushGroup = 16;

    /// <summary>Items of a removed subscription that leave with it; those of a larger one follow in slices.</summary>
    private const int ItemsThatLeaveAtOnce = 256;

    private const int ItemsPerSlice = 1024;

    /// <summary>Changes that waited for their sampling time, taken in one slice of a sweep: about 100 µs.</summary>
    private const int SamplesPerSlice = 2048;

    /// <summary>Slices of visits before due sessions get their turn again.</summary>
    private const int MaxVisitSlices = 4;

    /// <summary>Of a millisecond.</summary>
    private const int WheelSlots = 4096;

    private readonly TimingWheel _wheel;
    private readonly MonotonicClock _clock;
    private readonly PublishCounters _counters;
    private readonly QuotaBook _quotas;
    private readonly SubscriptionTable _table;
    private readonly ConcurrentQueue<PublishSession> _postedDeadlines = new();
    private readonly AutoResetEvent _bell = new(false);
    private readonly List<TimerEntry> _due = [];
    private readonly List<PublishSession> _dueSessions = [];
    private readonly Queue<Subscription> _leaving = new();
    private readonly List<INotificationOutput> _unflushed = new(FlushGroup);
    private long _sleepingUntil;

    public Shard(
        int index,
        NodeTable nodes,
        ValueStore store,
        PublishLimits limits,
        MonotonicClock clock,
        PublishCounters counters,
        QuotaBook quotas,
        SubscriptionTable table,
        NodeSampler sampler)
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
        Changes = new ChangeRouter(nodes, store, Inbox, sampler, Values, clock);
        Visits = new ItemVisits(this, new ItemStart(nodes, store, clock), counters, clock);
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

    public ItemVisits Visits { get; }

    public PublishSender Sender { get; }

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
                _bell.WaitOne((int)Math.Ceiling((double)wait / TimeSpan.TicksPerMillisecond));
        }
    }

    /// <summary>One turn. Returns the engine ticks until the next is due, 0 for at once.</summary>
    public long RunOnce()
    {
        var more = HandOutChanges();
        more |= LetItemsLeave();
        more |= VisitItems();
        lock (Lock)
        {
            ScheduleDeadlinesUnderLock();
            WakeDueUnderLock(_clock.Now);
        }

        foreach (var session in _dueSessions)
        {
            SweepGuarded(session);
            if (_unflushed.Count == FlushGroup)
                FlushGuarded();
        }

        FlushGuarded();
        _dueSessions.Clear();
        var now = _clock.Now;
        lock (Lock)
        {
            Values.Parts.Clear();
            if (more)
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

    /// <summary>One of the session's entries is due: it is swept in this turn.</summary>
    public void SetDueUnderLock(PublishSession session)
    {
        if (session.FirstDue is null && !session.IsDeadlineDue)
            _dueSessions.Add(session);
    }

    /// <summary>Has the loop schedule the session's earliest deadline, without the lock. Once until it has.</summary>
    public void PostDeadline(PublishSession session) => _postedDeadlines.Enqueue(session);

    public void Wake() => _bell.Set();

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
        var session = subscription.Session;
        subscription.Close();
        lock (session.Gate)
        {
            session.Subscriptions.Remove(subscription);
            _counters.AddRetransmissionBytes(-subscription.Retransmission.Bytes);
            subscription.Retransmission.Clear();
        }

        _quotas.ReleaseSubscription(session);
        if (subscription.Items.Count <= ItemsThatLeaveAtOnce)
        {
            var most = ItemsThatLeaveAtOnce;
            LetItemsLeaveUnderLock(subscription, ref most);
        }
        else
        {
            session.LeavingSubscriptions++;
            _leaving.Enqueue(subscription);
            Wake();
        }

        session.LeaveHoldersUnderLock();
    }

    /// <summary>For a newcomer that needs room: one slice of what removed subscriptions have left behind, ahead of the
    /// loop. False: nothing is left.</summary>
    public bool TryLetItemsLeave()
    {
        lock (Lock)
        {
            if (_leaving.Count == 0)
                return false;
            LetItemsLeave();
            return true;
        }
    }

    /// <summary>One slice of the visits that wait; a session whose last one has ended sends again. Any thread. False:
    /// none waits.</summary>
    public bool TryVisitItems()
    {
        INotificationOutput? output = null;
        lock (Lock)
        {
            if (!Visits.StepUnderLock(out var freed))
                return false;
            if (freed is not null && Sender.ServeUnderLock(freed, _clock.Now))
                output = freed.Output;
        }

        output?.Flush();
        return true;
    }

    /// <summary>Changes that have arrived by now reach their items, a slice of the lock at a time. Any thread. True
    /// when the shard cannot keep up and more wait.</summary>
    public bool HandOutChanges()
    {
        for (var slice = 0; slice < MaxChangeSlices; slice++)
        {
            lock (Lock)
            {
                if (!Changes.StepUnderLock())
                    return false;
            }
        }

        return true;
    }

    /// <summary>One slice of what removed subscriptions have left behind. True when there is more.</summary>
    private bool LetItemsLeave()
    {
        lock (Lock)
        {
            var most = ItemsPerSlice;
            while (most > 0 && _leaving.TryPeek(out var subscription))
            {
                if (!LetItemsLeaveUnderLock(subscription, ref most))
                    continue;
                _leaving.Dequeue();
                subscription.Session.LeavingSubscriptions--;
                subscription.Session.LeaveHoldersUnderLock();
            }

            return _leaving.Count > 0;
        }
    }

    /// <summary>True when none is left.</summary>
    private bool LetItemsLeaveUnderLock(Subscription subscription, ref int most)
    {
        for (; most > 0; most--)
        {
            if (!subscription.Items.TryTakeLast(out var item))
                return true;
            Changes.UnwatchUnderLock(item);
            item.Clear();
            subscription.QueueCapacity -= item.Queue.Size;
            _quotas.ReleaseItem(subscription.Session, item.Queue.Size);
        }

        return subscription.Items.Count == 0;
    }

    /// <summary>Some slices of the visits that wait. True when there is more.</summary>
    private bool VisitItems()
    {
        for (var slice = 0; slice < MaxVisitSlices; slice++)
        {
            if (!TryVisitItems())
                return false;
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

    /// <summary>Each entry puts its session on the list.</summary>
    private void WakeDueUnderLock(long now)
    {
        _wheel.Advance(now, _due);
        foreach (var entry in _due)
            entry.OnDue(now);
        _due.Clear();
    }

    /// <summary>The last resort: an error of ours outside a session's sweep costs the change it met, not the shard.
    /// </summary>
    private long RunGuarded()
    {
        try
        {
            return RunOnce();
        }
#pragma warning disable CA1031 // Whatever it is, the shard's sessions go on.
        catch (Exception error)
#pragma warning restore CA1031
        {
            _counters.OnSweepFailed(error);
            lock (Lock)
                Changes.SkipUnderLock();
            return TimeSpan.TicksPerMillisecond;
        }
    }

    /// <summary>An error of ours ends the one session that it met, not the shard.</summary>
    private void SweepGuarded(PublishSession session)
    {
        try
        {
            if (Inbox.Pending > 0)
                HandOutChanges();
            for (var isOver = false; !isOver;)
                isOver = TrySweep(session);
        }
#pragma warning disable CA1031 // Whatever it is, the other sessions of the shard go on.
        catch (Exception error)
#pragma warning restore CA1031
        {
            _counters.OnSweepFailed(error);
            lock (Lock)
                AbandonUnderLock(session);
        }
    }

    /// <summary>One slice of what is due. False: there is more.</summary>
    private bool TrySweep(PublishSession session)
    {
        bool sent;
        INotificationOutput output;
        lock (Lock)
        {
            output = session.Output;
            var now = _clock.Now;
            if (!TickUnderLock(session, now))
                return false;
            sent = Sender.ServeUnderLock(session, now);
            if (session.IsDeadlineDue)
                sent |= ExpireRequestsUnderLock(session, now);
        }

        if (sent)
            _unflushed.Add(output);
        return true;
    }

    /// <summary>An error of ours on one session's way out is not the others'.</summary>
    private void FlushGuarded()
    {
        foreach (var output in _unflushed)
        {
            try
            {
                output.Flush();
            }
#pragma warning disable CA1031 // Whatever it is, the other sessions of the shard go on.
            catch (Exception error)
#pragma warning restore CA1031
            {
                _counters.OnSweepFailed(error);
            }
        }

        _unflushed.Clear();
    }

    /// <summary>False: the slice is over, and the subscriptions that have not been ticked are still due.</summary>
    private bool TickUnderLock(PublishSession session, long now)
    {
        var work = SamplesPerSlice;
        while (session.FirstDue is { } subscription)
        {
            // Deleted, or given another interval, since it came out of the wheel.
            var isGone = subscription.State == SubscriptionState.Closed || subscription.IsScheduled;
            if (!isGone && !subscription.TakeSamples(now, Values, ref work))
                return false;
            session.FirstDue = subscription.NextDue;
            subscription.NextDue = null;
            if (isGone)
                continue;
            _counters.OnSweep(now - subscription.Due);
            if (subscription.Tick(now))
                _wheel.Add(subscription);
            else
                ExpireUnderLock(subscription);
        }

        return true;
    }

    /// <summary>Row 27: the lifetime is over.</summary>
    private void ExpireUnderLock(Subscription subscription)
    {
        Counts.ExpiredSubscriptions++;
        var change = new StatusChange(
            subscription.Id, subscription.TakeSequenceNumber(), Codec.Types.StatusCodes.BadTimeout);
        RemoveUnderLock(subscription);
        if (!subscription.Session.IsClosed)
            subscription.Session.AddStatusChange(change);
    }

    private bool ExpireRequestsUnderLock(PublishSession session, long now)
    {
        session.IsDeadlineDue = false;
        var sent = false;
        while (true)
        {
            HeldPublishRequest request;
            lock (session.Gate)
            {
                if (!session.Requests.TryRemoveExpired(now, out request))
                {
                    session.ScheduledDeadline = session.Requests.EarliestDeadline();
                    session.Deadline.Due = session.ScheduledDeadline;
                    break;
                }
            }

            sent = true;
            Counts.ExpiredRequests++;
            Sender.SendFaultUnderLock(session, request, Codec.Types.StatusCodes.BadTimeout);
        }

        if (session.Deadline.Due != long.MaxValue)
            ScheduleUnderLock(session.Deadline);
        return sent;
    }

    private void AbandonUnderLock(PublishSession session)
    {
        session.FirstDue = null;
        session.IsDeadlineDue = false;
        lock (session.Gate)
            session.MarkClosedUnderGate();
        session.LeaveHoldersUnderLock();
        while (session.Subscriptions.Count > 0)
            RemoveUnderLock(session.Subscriptions[^1]);
    }
}
