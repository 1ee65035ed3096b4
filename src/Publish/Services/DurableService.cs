using Gateway.Admission.Stages;
using Gateway.Codec.Types;

namespace Gateway.Publish.Services;

/// <summary>Does the work of the method SetSubscriptionDurable of the Server object. Source: Part 5 §9.3, Part 4 §6.8.
/// </summary>
internal sealed class DurableService(PublishEngine engine)
{
    /// <summary>Errors: Bad_SubscriptionIdInvalid; Bad_UserAccessDenied for another session's; Bad_InvalidState where
    /// it has items; Bad_TooManySubscriptions at the cap; Bad_ResourceUnavailable without a place on disk. A
    /// subscription that is durable already gets another lifetime.</summary>
    public StatusCode Set(PublishSession session, uint subscriptionId, uint hours, out uint revisedHours)
    {
        var status = TrySet(session, subscriptionId, hours, out revisedHours);
        if (status.CodeBits == StatusCodes.BadTooManySubscriptions)
            session.Access.OnRefused(status, RefusalReason.MaxDurableSubscriptions);
        return status;
    }

    private StatusCode TrySet(PublishSession session, uint subscriptionId, uint hours, out uint revisedHours)
    {
        revisedHours = 0;
        using (session.Shard.Enter())
        {
            if (session.Find(subscriptionId) is not { } subscription)
            {
                return engine.Subscriptions.Find(subscriptionId) is null
                    ? StatusCodes.BadSubscriptionIdInvalid
                    : StatusCodes.BadUserAccessDenied;
            }

            subscription.ResetLifetime();
            if (subscription.Items.Count > 0)
                return StatusCodes.BadInvalidState;
            if (!engine.Durable.IsOpen)
                return StatusCodes.BadResourceUnavailable;
            subscription.Durable ??= engine.Durable.TryAdd(subscription);
            if (subscription.Durable is not { } durable)
                return StatusCodes.BadTooManySubscriptions;
            var most = (uint)engine.Limits.MaxDurableLifetimeHours;
            revisedHours = durable.LifetimeHours = hours == 0 ? most : Math.Min(hours, most);
            subscription.SetLifetime(subscription.Times.LifetimeOf(revisedHours));
            return StatusCode.Good;
        }
    }
}
