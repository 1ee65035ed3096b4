using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Sessions;
using Gateway.Transport.Timing;

namespace Gateway.Publish.Services;

/// <summary>Publish, Republish, Cancel and the end of a session. Source: Part 4 §5.14.5, §5.14.6, §5.7.4, §5.7.5.
/// </summary>
internal sealed class PublishService(PublishEngine engine)
{
    public StatusCode Publish(
        PublishSession session, uint requestId, in RequestHeader header,
        ReadOnlySpan<SubscriptionAcknowledgement> acknowledgements)
    {
        if (acknowledgements.Length > engine.Limits.MaxAcknowledgementsPerPublish)
            return StatusCodes.BadTooManyOperations;
        var request = new HeldPublishRequest
        {
            RequestId = requestId,
            RequestHandle = header.RequestHandle,
            Deadline = DeadlineOf(header.TimeoutHint, engine.Clock.Now),
            AcknowledgementCount = acknowledgements.Length,
        };
        bool full, post, serve;
        HeldPublishRequest oldest;
        lock (session.Gate)
        {
            if (session.IsClosed)
                return StatusCodes.BadSessionClosed;
            request.AcknowledgementResults = AcknowledgeUnderGate(session, acknowledgements);
            if (session.Subscriptions.Count == 0 && session.StatusChanges == 0)
                return StatusCodes.BadNoSubscription;
            session.CountArrivalUnderGate();
            full = session.Requests.Enqueue(request, out oldest);
            serve = session.Waiting || session.StatusChanges > 0;
            post = PostsDeadlineUnderGate(session, request.Deadline);
        }

        if (post)
            session.Shard.PostDeadline(session);
        if (full || serve)
            Answer(session, full, oldest);
        return StatusCode.Good;
    }

    public static StatusCode Republish(
        PublishSession session, uint subscriptionId, uint sequenceNumber, out byte[] message)
    {
        message = [];
        using (session.Shard.Enter())
        {
            var subscription = session.Find(subscriptionId);
            if (subscription is null)
                return StatusCodes.BadSubscriptionIdInvalid;
            subscription.ResetLifetime();
            subscription.Counts.RepublishRequests++;
            lock (session.Gate)
            {
                if (subscription.IsUnderReview ||
                    !subscription.Retransmission.TryGet(sequenceNumber, out var kept))
                    return StatusCodes.BadMessageNotAvailable;
                message = kept.ToArray();
                subscription.Counts.RepublishedMessages++;
                return StatusCode.Good;
            }
        }
    }

    public static int Cancel(PublishSession session, uint requestHandle)
    {
        var cancelled = 0;
        using (session.Shard.Enter())
        {
            while (true)
            {
                HeldPublishRequest request;
                lock (session.Gate)
                {
                    if (!session.Requests.TryRemove(requestHandle, out request))
                        break;
                }

                cancelled++;
                session.Shard.Sender.SendFaultUnderLock(session, request, StatusCodes.BadRequestCancelledByClient);
            }
        }

        return cancelled;
    }

    public void Close(PublishSession session, bool deleteSubscriptions, bool deleteDurable)
    {
        var shard = session.Shard;
        bool sent;
        INotificationOutput output;
        using (shard.Enter())
        {
            output = session.Output;
            (session.DeletesSubscriptions, session.DeletesDurable) = (deleteSubscriptions, deleteDurable);
            lock (session.Gate)
                session.MarkClosedUnderGate();
            session.LeaveHoldersUnderLock();
            shard.UnscheduleUnderLock(session.Deadline);
            // One that the next process has again is not closed for its client.
            sent = shard.Sender.AnswerAllUnderLock(
                session, session.IsLeft ? StatusCodes.BadServerHalted : StatusCodes.BadSessionClosed);
            foreach (var subscription in session.Subscriptions)
            {
                // It has no user now; a transfer has it reviewed.
                subscription.SetVisit(null);
                // A durable one is for a client that is away for long.
                if (!deleteSubscriptions && subscription.Durable is null)
                    engine.Quotas.Detached.AddUnderLock(subscription);
            }

            session.DetachUnderLock();
        }

        if (sent)
            output.Flush();
        while ((deleteSubscriptions || deleteDurable) && RemoveLast(session))
        {
        }
    }

    /// <summary>A slice of the shard's lock for each. False: none is left that goes.</summary>
    private static bool RemoveLast(PublishSession session)
    {
        using (session.Shard.Enter())
        {
            if (session.Subscriptions.FindLast(session.Deletes) is not { } last)
                return false;
            session.Shard.RemoveUnderLock(last);
            return true;
        }
    }

    /// <summary>0 is no deadline; the largest hint lies forty-nine days ahead and cannot overflow.</summary>
    private static long DeadlineOf(uint timeoutHintMs, long now) =>
        timeoutHintMs == 0 ? long.MaxValue : now + ClientPatience.Of(timeoutHintMs).Ticks;

    /// <summary>Null when every result is Good.</summary>
    private uint[]? AcknowledgeUnderGate(
        PublishSession session, ReadOnlySpan<SubscriptionAcknowledgement> acknowledgements)
    {
        uint[]? results = null;
        for (var i = 0; i < acknowledgements.Length; i++)
        {
            var subscription = session.Find(acknowledgements[i].SubscriptionId);
            if (subscription is null)
            {
                (results ??= new uint[acknowledgements.Length])[i] = StatusCodes.BadSubscriptionIdInvalid;
                continue;
            }

            var bytes = subscription.Retransmission.Bytes;
            if (!subscription.Retransmission.Acknowledge(acknowledgements[i].SequenceNumber))
                (results ??= new uint[acknowledgements.Length])[i] = StatusCodes.BadSequenceNumberUnknown;
            engine.Counters.AddRetransmissionBytes(subscription.Retransmission.Bytes - bytes);
        }

        return results;
    }

    private static bool PostsDeadlineUnderGate(PublishSession session, long deadline)
    {
        if (deadline >= session.ScheduledDeadline)
            return false;
        session.ScheduledDeadline = deadline;
        var posts = !session.IsDeadlinePosted;
        session.IsDeadlinePosted = true;
        return posts;
    }

    /// <summary>On the thread that brought the request, which flushes when its burst is done.</summary>
    private void Answer(PublishSession session, bool full, in HeldPublishRequest oldest)
    {
        var shard = session.Shard;
        using (shard.Enter())
        {
            if (full)
            {
                shard.Counts.TooManyRequests++;
                shard.Sender.SendFaultUnderLock(session, oldest, StatusCodes.BadTooManyPublishRequests);
                session.Output.OnPublishRequestRefused();
            }

            shard.Sender.ServeUnderLock(session, engine.Clock.Now);
        }
    }
}
