using Gateway.Codec.Types;
using Gateway.Publish.Sessions;
using Gateway.Publish.Subscriptions;
using Gateway.Transport.Timing;

namespace Gateway.Publish.Shards;

/// <summary>
/// A shard's turn over the consumers that are due: each in slices of the shard's lock of its own, and its output
/// flushed once, outside the lock, a group of consumers at a time. Only the loop's thread (in a test: the test) runs
/// it. Behind those that are due come the consumers with a long message, in the order in which they joined the line,
/// some of them a turn: what became due meanwhile is swept before the next. Owner: the shard.
/// </summary>
internal sealed class ShardSweep(Shard shard, TimingWheel wheel, MonotonicClock clock, PublishCounters counters)
{
    /// <summary>Messages are sealed for so many sessions before they are sent: the kernel's way out and ours would
    /// otherwise throw each other out of the caches once a message.</summary>
    private const int FlushGroup = 16;

    /// <summary>Slices of changes before a consumer's sweep. More than these wait only where the shard cannot keep up:
    /// then a consumer's message is not to wait for all that arrives while the others before it are swept.</summary>
    private const int ChangeSlices = 4;

    /// <summary>Changes that waited for their sampling time, taken in one slice of a sweep: about 100 µs.</summary>
    private const int SamplesPerSlice = 2048;

    /// <summary>Of long messages in one turn; the last may be longer.</summary>
    private const int LineBytes = 48 * 1024;

    private readonly Queue<(Consumer Consumer, long Since)> _line = new();
    private readonly List<TimerEntry> _due = [];
    private readonly List<Consumer> _consumers = [];
    private readonly List<INotificationOutput> _unflushed = new(FlushGroup);

    /// <summary>Each entry puts its consumer on the list.</summary>
    public void WakeDueUnderLock(long now)
    {
        wheel.Advance(now, _due);
        foreach (var entry in _due)
            entry.OnDue(now);
        _due.Clear();
    }

    /// <summary>Called before the entry is noted as due: once a consumer.</summary>
    public void SetDueUnderLock(Consumer consumer)
    {
        if (consumer.FirstDue is null && !consumer.IsDeadlineDue)
            _consumers.Add(consumer);
    }

    /// <summary>The loop need not sleep.</summary>
    public bool HasLineUnderLock => _line.Count > 0;

    /// <summary>Does nothing for one that is in the line.</summary>
    public void JoinLineUnderLock(Consumer consumer, long now)
    {
        if (consumer.IsInLine)
            return;
        consumer.IsInLine = true;
        _line.Enqueue((consumer, now));
    }

    public void Run()
    {
        var began = clock.Now;
        foreach (var consumer in _consumers)
        {
            SweepGuarded(consumer, isInTurn: false);
            shard.LetOthersIn();
            if (_unflushed.Count == FlushGroup)
                FlushGuarded();
        }

        FlushGuarded();
        if (_consumers.Count > 0)
            counters.OnSwept(clock.Now - began);
        _consumers.Clear();
        ServeLine();
    }

    /// <summary>One flush group at most.</summary>
    private void ServeLine()
    {
        var end = shard.Sender.WrittenBytes + LineBytes;
        for (var turns = 0; turns < FlushGroup && shard.Sender.WrittenBytes < end; turns++)
        {
            (Consumer Consumer, long Since) next;
            lock (shard.Lock)
            {
                if (!_line.TryDequeue(out next))
                    break;
                next.Consumer.IsInLine = false;
                counters.OnTurn(clock.Now - next.Since);
            }

            SweepGuarded(next.Consumer, isInTurn: true);
            shard.LetOthersIn();
        }

        FlushGuarded();
    }

    /// <summary>An error of ours ends the one consumer that it met, not the shard.</summary>
    private void SweepGuarded(Consumer consumer, bool isInTurn)
    {
        try
        {
            if (shard.Inbox.Pending > 0)
                shard.HandOutChanges(ChangeSlices);
            for (var isOver = false; !isOver;)
                isOver = TrySweep(consumer, isInTurn);
        }
#pragma warning disable CA1031 // A fault of any kind must not stop the other consumers of the shard.
        catch (Exception error)
#pragma warning restore CA1031
        {
            counters.OnSweepFailed(error);
            lock (shard.Lock)
                AbandonUnderLock(consumer);
        }
    }

    /// <summary>One slice of the due work. False: there is more.</summary>
    private bool TrySweep(Consumer consumer, bool isInTurn)
    {
        bool sent;
        INotificationOutput output;
        lock (shard.Lock)
        {
            output = consumer.Output;
            var now = clock.Now;
            if (!TickUnderLock(consumer, now))
                return false;
            sent = isInTurn ? consumer.ServeInTurnUnderLock(now) : consumer.ServeUnderLock(now);
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
#pragma warning disable CA1031 // A fault of any kind must not stop the other sessions of the shard.
            catch (Exception error)
#pragma warning restore CA1031
            {
                counters.OnSweepFailed(error);
            }
        }

        _unflushed.Clear();
    }

    /// <summary>False: the slice is over, and the subscriptions that have not been ticked are still due.</summary>
    private bool TickUnderLock(Consumer consumer, long now)
    {
        var work = SamplesPerSlice;
        while (consumer.FirstDue is { } subscription)
        {
            // Deleted, or given another interval, since it came out of the wheel.
            var isGone = subscription.State == SubscriptionState.Closed || subscription.IsScheduled;
            if (!isGone && !subscription.TakeSamples(now, shard.Values, ref work))
                return false;
            consumer.FirstDue = subscription.NextDue;
            subscription.NextDue = null;
            if (isGone)
                continue;
            counters.OnSweep(shard.Counts.LastLateness = now - subscription.Due);
            if (subscription.Tick(now))
                wheel.Add(subscription);
            else
                ExpireUnderLock(subscription);
        }

        return true;
    }

    /// <summary>Row 27: the lifetime is over.</summary>
    private void ExpireUnderLock(Subscription subscription)
    {
        shard.Counts.ExpiredSubscriptions++;
        var change = new StatusChange(subscription.Id, subscription.TakeSequenceNumber(), StatusCodes.BadTimeout);
        shard.RemoveUnderLock(subscription);
        if (!subscription.Consumer.IsClosed)
            subscription.Consumer.AddStatusChange(change);
    }

    private void AbandonUnderLock(Consumer consumer)
    {
        consumer.FirstDue = null;
        consumer.IsDeadlineDue = false;
        lock (consumer.Gate)
            consumer.MarkClosedUnderGate();
        consumer.LeaveHoldersUnderLock();
        while (consumer.Subscriptions.Count > 0)
            shard.RemoveUnderLock(consumer.Subscriptions[^1]);
    }
}
