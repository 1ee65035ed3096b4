using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Quotas;
using Gateway.Publish.Sessions;
using Gateway.Publish.Shards;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Services;

/// <summary>
/// TransferSubscriptions: a subscription leaves its session, which may be closed, and perhaps its shard; its items,
/// their queues and the messages that wait for acknowledgement go along. Both shards are locked for the time of one
/// subscription, the one of lower index first. Source: Part 4 §5.14.7.
/// </summary>
internal sealed class TransferService(PublishEngine engine, AccessReview review)
{
    public TransferSubscriptionsResponse Transfer(PublishSession to, TransferSubscriptionsRequest request)
    {
        var ids = request.SubscriptionIds;
        if (ids is null or { Length: 0 })
        {
            return new TransferSubscriptionsResponse
            {
                ResponseHeader = new() { ServiceResult = StatusCodes.BadNothingToDo },
            };
        }

        var results = new TransferResult[ids.Length];
        for (var i = 0; i < ids.Length; i++)
        {
            results[i] = Transfer(to, ids[i], request.SendInitialValues);
            if (results[i].StatusCode.IsBad)
                engine.Counters.OnTransferRefused();
        }

        return new TransferSubscriptionsResponse { Results = results };
    }

    private TransferResult Transfer(PublishSession to, uint subscriptionId, bool sendInitialValues)
    {
        while (engine.Subscriptions.Find(subscriptionId) is { } subscription)
        {
            var from = subscription.Session;
            var isInOrder = from.Shard.Index < to.Shard.Index;
            TransferResult result;
            bool sent;
            lock ((isInOrder ? from : to).Shard.Lock)
            {
                // The same lock once more where both are on one shard.
                lock ((isInOrder ? to : from).Shard.Lock)
                {
                    if (!ReferenceEquals(subscription.Session, from))
                        continue;
                    result = TransferUnderLocks(subscription, to, sendInitialValues);
                    sent = !result.StatusCode.IsBad && ServeOldUnderLock(from);
                }
            }

            if (sent)
                from.Output.Flush();
            return result;
        }

        return new TransferResult { StatusCode = StatusCodes.BadSubscriptionIdInvalid };
    }

    private TransferResult TransferUnderLocks(Subscription subscription, PublishSession to, bool sendInitialValues)
    {
        var status = CheckUnderLocks(subscription, to);
        if (status.IsBad)
            return new TransferResult { StatusCode = status };
        MoveUnderLocks(subscription, to);
        subscription.ResetLifetime();
        if (sendInitialValues)
            subscription.ResendValues();
        return new TransferResult { AvailableSequenceNumbers = AvailableUnderLock(subscription) };
    }

    /// <summary>Rows 22 to 24. Errors: Bad_SubscriptionIdInvalid, Bad_SessionClosed, Bad_UserAccessDenied,
    /// Bad_TooManySubscriptions, Bad_NothingToDo where it is the session's own already. Good: what the subscription has
    /// counts for the new session.</summary>
    private static StatusCode CheckUnderLocks(Subscription subscription, PublishSession to)
    {
        var from = subscription.Session;
        if (subscription.State == SubscriptionState.Closed)
            return StatusCodes.BadSubscriptionIdInvalid;
        if (to.IsClosed)
            return StatusCodes.BadSessionClosed;
        subscription.Counts.TransferRequests++;
        if (ReferenceEquals(from, to))
        {
            subscription.ResetLifetime();
            return StatusCodes.BadNothingToDo;
        }

        if (!to.Owner.MayTakeOverFrom(from.Owner))
            return StatusCodes.BadUserAccessDenied;
        return QuotaBook.TryMove(from, to, new Amount(1, subscription.Items.Count, subscription.QueueCapacity()))
            ? StatusCode.Good
            : StatusCodes.BadTooManySubscriptions;
    }

    private void MoveUnderLocks(Subscription subscription, PublishSession to)
    {
        var from = subscription.Session;
        engine.Quotas.Detached.Remove(subscription);
        SubscriptionMove.MoveUnderLocks(subscription, to, engine.Clock.Now);
        review.ReviewUnderLock(subscription);
        if (to.Owner.IsSameClient(from.Owner))
            subscription.Counts.TransfersToSameClient++;
        else
            subscription.Counts.TransfersToOtherClient++;
        engine.Counters.OnTransferred();
        if (!from.IsClosed)
        {
            from.AddStatusChange(new StatusChange(
                subscription.Id, subscription.NextSequenceNumber, StatusCodes.GoodSubscriptionTransferred));
        }

        from.LeaveHoldersUnderLock();
    }

    /// <summary>The status change goes out, and Publish requests that nobody can answer any more go back.</summary>
    private bool ServeOldUnderLock(PublishSession from) =>
        from.Shard.Sender.ServeUnderLock(from, engine.Clock.Now);

    private static uint[] AvailableUnderLock(Subscription subscription)
    {
        lock (subscription.Session.Gate)
        {
            var available = new uint[subscription.Retransmission.Count];
            for (var i = 0; i < available.Length; i++)
                available[i] = subscription.Retransmission.SequenceNumberAt(i);
            return available;
        }
    }
}
