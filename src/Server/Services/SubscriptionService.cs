using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Dispatch;

namespace Gateway.Server.Services;

/// <summary>The Subscription service set: decoding and limits here, the work in the publish engine.
/// Source: Part 4 §5.14.</summary>
internal sealed class SubscriptionService(ServerLimits limits)
{
    public static StatusCode CreateSubscription(ref ServiceCall call) =>
        call.TryDecode<CreateSubscriptionRequest>(out var request)
            ? call.Reply(call.Session.Publishing!.CreateSubscription(request))
            : call.Whole.Status;

    public static StatusCode ModifySubscription(ref ServiceCall call) =>
        call.TryDecode<ModifySubscriptionRequest>(out var request)
            ? call.Reply(call.Session.Publishing!.ModifySubscription(request))
            : call.Whole.Status;

    public StatusCode SetPublishingMode(ref ServiceCall call)
    {
        if (!call.TryDecode<SetPublishingModeRequest>(out var request))
            return call.Whole.Status;
        var status = Operations.Check(request.SubscriptionIds, limits.MaxSubscriptionsPerCall);
        return status.IsBad ? status : call.Reply(call.Session.Publishing!.SetPublishingMode(request));
    }

    public StatusCode DeleteSubscriptions(ref ServiceCall call)
    {
        if (!call.TryDecode<DeleteSubscriptionsRequest>(out var request))
            return call.Whole.Status;
        var status = Operations.Check(request.SubscriptionIds, limits.MaxSubscriptionsPerCall);
        return status.IsBad ? status : call.Reply(call.Session.Publishing!.DeleteSubscriptions(request));
    }

    /// <summary>Held, or answered at once, by the engine.</summary>
    public static StatusCode Publish(ref ServiceCall call) =>
        call.Session.Publishing!.Publish(call.RequestId, call.Head.ToHeader(), ref call.Body);

    public static StatusCode Republish(ref ServiceCall call) =>
        call.TryDecode<RepublishRequest>(out var request)
            ? call.Reply(call.Session.Publishing!.Republish(request))
            : call.Whole.Status;
}
