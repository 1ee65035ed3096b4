using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Dispatch;

namespace Gateway.Server.Services;

/// <summary>The Subscription service set: decoding, limits and turns here, the work in the publish engine.
/// Source: Part 4 §5.14.</summary>
internal sealed class SubscriptionService(ServerLimits limits)
{
    /// <summary>A subscription's deletion touches this many items at most; the rest leaves later.</summary>
    private const int UnitsToDelete = 5_000;

    /// <summary>It may have a hundred thousand items.</summary>
    private const int UnitsToTransfer = 20_000;

    private static readonly OperationParts<
        DeleteSubscriptionsRequest, uint, DeleteSubscriptionsResponse, StatusCode> Deletion = new(
            1,
            UnitsToDelete,
            static request => request.SubscriptionIds,
            static (_, ids) => new DeleteSubscriptionsRequest { SubscriptionIds = ids },
            static (session, request) => session.DeleteSubscriptions(request),
            static response => response.Results,
            static results => new DeleteSubscriptionsResponse { Results = results },
            static status => status);

    private static readonly OperationParts<
        TransferSubscriptionsRequest, uint, TransferSubscriptionsResponse, TransferResult> Movement = new(
            1,
            UnitsToTransfer,
            static request => request.SubscriptionIds,
            static (request, ids) => new TransferSubscriptionsRequest
            {
                SubscriptionIds = ids,
                SendInitialValues = request.SendInitialValues,
            },
            static (session, request) => session.TransferSubscriptions(request),
            static response => response.Results,
            static results => new TransferSubscriptionsResponse { Results = results },
            static status => new TransferResult { StatusCode = status });

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

    public StatusCode DeleteSubscriptions(ref ServiceCall call) =>
        Operations.HandOn(ref call, limits.MaxSubscriptionsPerCall, Deletion);

    /// <summary>On a worker: how large the subscriptions are, the request does not show. What is LATE follows the
    /// response: before it, the client would not know the subscription.</summary>
    public StatusCode TransferSubscriptions(ref ServiceCall call)
    {
        if (!call.IsDeferred)
            return call.Defer();
        call.Turn.ServesBehind = true;
        return Operations.HandOn(ref call, limits.MaxSubscriptionsPerCall, Movement);
    }

    /// <summary>Held, or answered at once, by the engine.</summary>
    public static StatusCode Publish(ref ServiceCall call) =>
        call.Session.Publishing!.Publish(call.RequestId, call.Head.ToHeader(), ref call.Body);

    public static StatusCode Republish(ref ServiceCall call) =>
        call.TryDecode<RepublishRequest>(out var request)
            ? call.Reply(call.Session.Publishing!.Republish(request))
            : call.Whole.Status;
}
