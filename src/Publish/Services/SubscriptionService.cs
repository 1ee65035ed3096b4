using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Quotas;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Services;

/// <summary>CreateSubscription, ModifySubscription, SetPublishingMode, DeleteSubscriptions. Source: Part 4 §5.14.2 to
/// §5.14.4, §5.14.8.</summary>
internal sealed class SubscriptionService(PublishEngine engine)
{
    private const int MaxTries = 8;

    private PublishLimits Limits => engine.Limits;

    public CreateSubscriptionResponse Create(PublishSession session, CreateSubscriptionRequest request)
    {
        var times = SubscriptionTimes.Revise(
            request.RequestedPublishingInterval,
            request.RequestedLifetimeCount,
            request.RequestedMaxKeepAliveCount,
            Limits);
        var subscription = new Subscription(engine.NextSubscriptionId(), session, NewRetransmissionQueue())
        {
            MaxNotificationsPerPublish = Revise(request.MaxNotificationsPerPublish),
            Priority = request.Priority,
        };
        var refused = Add(session, subscription, times, request.PublishingEnabled);
        if (refused.IsBad)
            return new CreateSubscriptionResponse { ResponseHeader = Result(refused) };
        return new CreateSubscriptionResponse
        {
            SubscriptionId = subscription.Id,
            RevisedPublishingInterval = times.PublishingIntervalMs,
            RevisedLifetimeCount = times.LifetimeCount,
            RevisedMaxKeepAliveCount = times.MaxKeepAliveCount,
        };
    }

    /// <summary>Row 18. The cycle starts anew with the new interval; waiting notifications go on waiting.</summary>
    public ModifySubscriptionResponse Modify(PublishSession session, ModifySubscriptionRequest request)
    {
        SubscriptionTimes times;
        using (session.Shard.Enter())
        {
            var subscription = session.Find(request.SubscriptionId);
            if (subscription is null)
                return new ModifySubscriptionResponse { ResponseHeader = Result(StatusCodes.BadSubscriptionIdInvalid) };
            times = SubscriptionTimes.Revise(
                request.RequestedPublishingInterval,
                request.RequestedLifetimeCount,
                request.RequestedMaxKeepAliveCount,
                Limits,
                subscription.Durable is not null);
            subscription.Counts.Modified++;
            subscription.MaxNotificationsPerPublish = Revise(request.MaxNotificationsPerPublish);
            subscription.Priority = request.Priority;
            subscription.ResetTimes(times, engine.Clock.Now);
            session.Shard.ScheduleUnderLock(subscription);
        }

        return new ModifySubscriptionResponse
        {
            RevisedPublishingInterval = times.PublishingIntervalMs,
            RevisedLifetimeCount = times.LifetimeCount,
            RevisedMaxKeepAliveCount = times.MaxKeepAliveCount,
        };
    }

    public static SetPublishingModeResponse SetPublishingMode(PublishSession session, SetPublishingModeRequest request)
    {
        var ids = request.SubscriptionIds;
        if (ids is null or { Length: 0 })
            return new SetPublishingModeResponse { ResponseHeader = Result(StatusCodes.BadNothingToDo) };
        var results = new StatusCode[ids.Length];
        for (var i = 0; i < ids.Length; i++)
        {
            using (session.Shard.Enter())
            {
                var subscription = session.Find(ids[i]);
                results[i] = subscription is null ? StatusCodes.BadSubscriptionIdInvalid : StatusCode.Good;
                if (subscription is not null)
                    SetUnderLock(subscription, request.PublishingEnabled);
            }
        }

        return new SetPublishingModeResponse { Results = results };
    }

    /// <summary>Row 25. Publish requests that no subscription can answer any more get Bad_NoSubscription.</summary>
    public DeleteSubscriptionsResponse Delete(PublishSession session, DeleteSubscriptionsRequest request)
    {
        var ids = request.SubscriptionIds;
        if (ids is null or { Length: 0 })
            return new DeleteSubscriptionsResponse { ResponseHeader = Result(StatusCodes.BadNothingToDo) };
        var shard = session.Shard;
        var results = new StatusCode[ids.Length];
        for (var i = 0; i < ids.Length; i++)
        {
            using (shard.Enter())
            {
                var subscription = session.Find(ids[i]);
                results[i] = subscription is null ? StatusCodes.BadSubscriptionIdInvalid : StatusCode.Good;
                if (subscription is not null)
                    shard.RemoveUnderLock(subscription);
            }
        }

        using (shard.Enter())
            shard.Sender.ServeUnderLock(session, engine.Clock.Now);
        return new DeleteSubscriptionsResponse { Results = results };
    }

    private static ResponseHeader Result(StatusCode status) => new() { ServiceResult = status };

    private static void SetUnderLock(Subscription subscription, bool publishingEnabled)
    {
        subscription.ResetLifetime();
        subscription.SetPublishingEnabled(publishingEnabled);
        if (publishingEnabled)
            subscription.Counts.Enabled++;
        else
            subscription.Counts.Disabled++;
    }

    /// <summary>Room that was made may be another's before it is taken: then it is made again.</summary>
    public StatusCode Add(
        Consumer consumer, Subscription subscription, SubscriptionTimes times, bool publishingEnabled)
    {
        var isExchange = false;
        for (var tries = 0; ; tries++)
        {
            QuotaVerdict verdict;
            using (consumer.Shard.Enter())
            {
                if (consumer.IsClosed)
                    return StatusCodes.BadSessionClosed;
                verdict = engine.Quotas.TryTake(consumer, Amount.Subscription, isExchange);
                if (verdict == QuotaVerdict.Granted)
                {
                    StartUnderLock(consumer, subscription, times, publishingEnabled);
                    return StatusCode.Good;
                }
            }

            if (tries < MaxTries &&
                engine.RoomMaker.TryMakeRoom(consumer, verdict, Amount.Subscription, out isExchange))
                continue;
            engine.Counters.OnSubscriptionRefused();
            consumer.Access.OnRefused(
                StatusCodes.BadTooManySubscriptions, QuotaBook.ReasonOf(verdict, consumer, Amount.Subscription));
            return StatusCodes.BadTooManySubscriptions;
        }
    }

    private void StartUnderLock(
        Consumer consumer, Subscription subscription, SubscriptionTimes times, bool publishingEnabled)
    {
        if (consumer.HasPublicSubscriptions)
            engine.Counters.OnSubscriptionCreated();
        engine.Subscriptions.Add(subscription);
        lock (consumer.Gate)
            consumer.Subscriptions.Add(subscription);
        subscription.SetPublishingEnabled(publishingEnabled);
        subscription.ResetTimes(times, engine.Clock.Now);
        consumer.Shard.ScheduleUnderLock(subscription);
    }

    public RetransmissionQueue NewRetransmissionQueue()
    {
        var fewest = 2 * Limits.MaxPublishRequestsPerSession;
        return new RetransmissionQueue(
            Math.Max(fewest, Limits.MaxRetransmissionMessages), Limits.MaxRetransmissionBytesPerSubscription);
    }

    private int Revise(uint maxNotificationsPerPublish) => maxNotificationsPerPublish == 0
        ? Limits.MaxNotificationsPerPublish
        : (int)Math.Min(maxNotificationsPerPublish, (uint)Limits.MaxNotificationsPerPublish);
}
