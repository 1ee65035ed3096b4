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

    public StatusCode SetPublishingMode(ref ServiceCall call) => Operations.HandOn(
        ref call,
        limits.MaxSubscriptionsPerCall,
        static (SetPublishingModeRequest request) => request.SubscriptionIds?.Length ?? 0,
        static (session, request) => session.SetPublishingMode(request));

    public StatusCode DeleteSubscriptions(ref ServiceCall call) => Operations.HandOn(
        ref call,
        limits.MaxSubscriptionsPerCall,
        static (DeleteSubscriptionsRequest request) => request.SubscriptionIds?.Length ?? 0,
        static (session, request) => session.DeleteSubscriptions(request));

    /// <summary>What is LATE follows the response: before it, the client would not know the subscription.</summary>
    public StatusCode TransferSubscriptions(ref ServiceCall call)
    {
        var status = Operations.HandOn(
            ref call,
            limits.MaxSubscriptionsPerCall,
            static (TransferSubscriptionsRequest request) => request.SubscriptionIds?.Length ?? 0,
            static (session, request) => session.TransferSubscriptions(request));
        if (!status.IsBad)
            call.Session.Publishing!.Serve();
        return status;
    }

    /// <summary>Held, or answered at once, by the engine.</summary>
    public static StatusCode Publish(ref ServiceCall call) =>
        call.Session.Publishing!.Publish(call.RequestId, call.Head.ToHeader(), ref call.Body);

    public static StatusCode Republish(ref ServiceCall call) =>
        call.TryDecode<RepublishRequest>(out var request)
            ? call.Reply(call.Session.Publishing!.Republish(request))
            : call.Whole.Status;
}
