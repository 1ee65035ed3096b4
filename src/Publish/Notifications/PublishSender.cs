using Gateway.Codec.Types;
using Gateway.Publish.Sessions;
using Gateway.Publish.Subscriptions;
using Gateway.Transport.Timing;

namespace Gateway.Publish.Notifications;

/// <summary>
/// Matches the ready notifications with the held Publish requests and sends them. Owner: a shard; every member runs
/// under its lock, which keeps the order of sequence numbers on the way to the channel. Lock order: shard → session's
/// gate → channel.
/// </summary>
internal sealed class PublishSender(
    PublishResponseWriter writer, ShardCounts counts, MonotonicClock clock, PublishCounters counters)
{
    /// <summary>Of one session at a time, about 100 µs of work. A message that is longer waits for a turn of its own,
    /// so that a burst to many sessions does not make those late that have little to send.</summary>
    private const int TurnBytes = 16 * 1024;

    /// <summary>Of all messages ever.</summary>
    public long WrittenBytes { get; private set; }

    /// <summary>
    /// Sends messages as long as something is ready and a request is held: status changes first, then by priority,
    /// equals in turn. A subscription that stays ready without a request is LATE, and the session waits for the next
    /// request. While items are being visited (<see cref="Shards.ItemVisits"/>) only status changes leave. A message
    /// beyond <see cref="TurnBytes"/> waits in the shard's line.
    /// </summary>
    /// <param name="session">Of the shard.</param>
    /// <param name="now">Engine ticks.</param>
    /// <param name="isInTurn">It is at the head of the line: one of its messages may be as long as it wants.</param>
    /// <returns>True when something was sent, so that the caller flushes once.</returns>
    public bool ServeUnderLock(PublishSession session, long now, bool isInTurn = false)
    {
        var sent = false;
        var end = WrittenBytes + TurnBytes;
        while ((session.ReadySubscriptions > 0 && session.PendingVisits == 0) || session.StatusChanges > 0)
        {
            if (!HasRequest(session))
            {
                BecomeLateUnderLock(session);
                return sent;
            }

            var next = session.StatusChanges > 0 ? null : NextReady(session);
            if (!isInTurn && next is not null && NextMessage.IsLonger(next, end - WrittenBytes))
            {
                session.Shard.JoinLineUnderLock(session, now);
                return sent;
            }

            if (!TryTakeRequest(session, out var request))
                continue;
            sent = true;
            if (!TryAnswerUnderLock(session, next, request, now))
                return sent;
            if (isInTurn && WrittenBytes > end)
            {
                // It has had its long message; short ones that are ready beside it do not wait another round.
                isInTurn = false;
                end = WrittenBytes + TurnBytes;
            }
        }

        lock (session.Gate)
            session.Waiting = false;
        if (session.Subscriptions.Count == 0)
            sent |= AnswerAllUnderLock(session, StatusCodes.BadNoSubscription);
        return sent;
    }

    public void SendFaultUnderLock(PublishSession session, in HeldPublishRequest request, StatusCode status)
    {
        counts.Faults++;
        session.RefusedPublishRequests++;
        writer.WriteFault(request.RequestHandle, status, clock.UtcNow);
        counts.Messages++;
        if (session.Output.Send(writer.Buffer, request.RequestId).IsBad)
            counts.FailedSends++;
    }

    /// <summary>Every held request gets this fault.</summary>
    public bool AnswerAllUnderLock(PublishSession session, StatusCode status)
    {
        var any = false;
        while (true)
        {
            HeldPublishRequest request;
            lock (session.Gate)
            {
                if (!session.Requests.TryDequeue(out request))
                    return any;
            }

            any = true;
            SendFaultUnderLock(session, request, status);
        }
    }

    /// <summary>Held requests whose deadline has passed; then the session's deadline is the next one's.</summary>
    public bool ExpireUnderLock(PublishSession session, long now)
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
            counts.ExpiredRequests++;
            SendFaultUnderLock(session, request, StatusCodes.BadTimeout);
        }

        if (session.Deadline.Due != long.MaxValue)
            session.Shard.ScheduleUnderLock(session.Deadline);
        return sent;
    }

    /// <summary>False: the next Publish is answered on its own thread.</summary>
    private static bool HasRequest(PublishSession session)
    {
        lock (session.Gate)
        {
            session.Waiting = session.Requests.Count == 0;
            return !session.Waiting;
        }
    }

    /// <summary>False: it was forgotten a moment ago.</summary>
    private static bool TryTakeRequest(PublishSession session, out HeldPublishRequest request)
    {
        lock (session.Gate)
            return session.Requests.TryDequeue(out request);
    }

    /// <summary>False: memory is short, and the rest goes with the next request or cycle.</summary>
    private bool TryAnswerUnderLock(
        PublishSession session, Subscription? next, in HeldPublishRequest request, long now)
    {
        try
        {
            AnswerUnderLock(session, next, request, now);
            return true;
        }
        catch (OutOfMemoryException)
        {
            // Nobody else has the request, and a session is not to lose its subscriptions because memory is short
            // for a moment (R37, R40).
            counts.FailedSends++;
            SendFaultUnderLock(session, request, StatusCodes.BadOutOfMemory);
            lock (session.Gate)
                session.Waiting = true;
            return false;
        }
    }

    /// <param name="session">The request's.</param>
    /// <param name="next">Null: a status change is.</param>
    /// <param name="request">Its answer.</param>
    /// <param name="now">Engine ticks.</param>
    private void AnswerUnderLock(
        PublishSession session, Subscription? next, in HeldPublishRequest request, long now)
    {
        if (request.Deadline <= now)
        {
            counts.ExpiredRequests++;
            SendFaultUnderLock(session, request, StatusCodes.BadTimeout);
        }
        else if (session.TryTakeStatusChange(out var change))
        {
            writer.WriteStatusChange(change, request, clock.UtcNow);
            SendUnderLock(session, request);
        }
        else
        {
            SendNextUnderLock(session, next!, request);
        }
    }

    /// <summary>Highest priority, and among equals the one that was served longest ago.</summary>
    private static Subscription NextReady(PublishSession session)
    {
        Subscription? next = null;
        foreach (var subscription in session.Subscriptions)
        {
            if (!subscription.IsReady)
                continue;
            if (next is null || subscription.Priority > next.Priority ||
                (subscription.Priority == next.Priority && subscription.LastServed < next.LastServed))
                next = subscription;
        }

        return next!;
    }

    private static void BecomeLateUnderLock(PublishSession session)
    {
        foreach (var subscription in session.Subscriptions)
        {
            if (subscription.IsReady)
                subscription.BecomeLate();
        }
    }

    private void SendNextUnderLock(
        PublishSession session, Subscription subscription, in HeldPublishRequest request)
    {
        subscription.LastServed = ++session.Served;
        subscription.Counts.PublishRequests++;
        if (subscription.State == SubscriptionState.Late)
            counts.LateAnswers++;
        if (!subscription.HasNotifications)
        {
            counts.KeepAlives++;
            lock (session.Gate)
                writer.WriteKeepAlive(subscription, request, clock.UtcNow);
            subscription.OnSent(notifications: false);
        }
        else
        {
            WriteNotificationsUnderLock(session, subscription, request);
            counts.Notifications += writer.DataChanges + writer.Events;
            subscription.Counts.DataChanges += (uint)writer.DataChanges;
            subscription.Counts.Events += (uint)writer.Events;
            subscription.OnSent(notifications: true);
        }

        SendUnderLock(session, request);
    }

    /// <summary>The message is kept before it goes: sealing works in place.</summary>
    private void WriteNotificationsUnderLock(
        PublishSession session, Subscription subscription, in HeldPublishRequest request)
    {
        var sequenceNumber = subscription.TakeSequenceNumber();
        var kept = subscription.Retransmission;
        lock (session.Gate)
        {
            var bytes = kept.Bytes;
            var dropped = kept.Dropped;
            try
            {
                kept.MakeRoom(onlyNewest: counters.IsRetransmissionFull);
                writer.WriteNotifications(
                    subscription, request, sequenceNumber, clock.UtcNow, session.Output.MaxResponseSizeBytes);
                kept.Add(sequenceNumber, writer.Buffer.WrittenSpan.Slice(writer.MessageStart, writer.MessageLength));
            }
            finally
            {
                // Also where there is no memory for the message.
                counts.DroppedMessages += kept.Dropped - dropped;
                counters.AddRetransmissionBytes(kept.Bytes - bytes);
            }
        }
    }

    /// <summary>A message that the peer does not take for its head alone is answered with a fault: its request must not
    /// wait for ever. The client can get the message again by Republish.</summary>
    private void SendUnderLock(PublishSession session, in HeldPublishRequest request)
    {
        WrittenBytes += writer.Buffer.Length;
        var most = session.Output.MaxResponseSizeBytes;
        if (most > 0 && writer.Buffer.Length > most)
        {
            SendFaultUnderLock(session, request, StatusCodes.BadResponseTooLarge);
            return;
        }

        counts.Messages++;
        if (session.Output.Send(writer.Buffer, request.RequestId).IsBad)
            counts.FailedSends++;
    }
}
