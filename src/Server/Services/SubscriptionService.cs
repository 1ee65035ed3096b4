using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations;
using Gateway.Publish;
using Gateway.Publish.Services;
using Gateway.Server.Audit;
using Gateway.Server.Dispatch;
using Gateway.Server.Work;

namespace Gateway.Server.Services;

/// <summary>The Subscription service set: decodes, checks limits and takes turns. The publish engine does the work.
/// Source: Part 4 §5.14.</summary>
internal sealed class SubscriptionService(ServerLimits limits, PublishLimits publish, AuditLog audit)
{
    private const int AcknowledgementBytes = 2 * sizeof(uint);

    /// <summary>On the stack; a longer list takes an array. A client usually acknowledges one or two messages.
    /// </summary>
    private const int FewAcknowledgements = 64;

    /// <summary>The work of one deletion. It touches a bounded number of items; the shard removes the rest later.
    /// </summary>
    private const int UnitsToDelete = 5_000;

    /// <summary>The work of one step of a transfer.</summary>
    private const int UnitsToTransfer = 5_000;

    /// <summary>The work of one slice of a review.</summary>
    private const int UnitsToReview = 2_500;

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

    public static StatusCode CreateSubscription(ref ServiceCall call) =>
        call.TryDecode<CreateSubscriptionRequest>(out var request)
            ? call.Reply(call.Session.Publishing!.CreateSubscription(request))
            : call.Whole.Status;

    public static StatusCode ModifySubscription(ref ServiceCall call) =>
        call.TryDecode<ModifySubscriptionRequest>(out var request)
            ? call.Reply(call.Session.Publishing!.ModifySubscription(request))
            : call.Whole.Status;

    public StatusCode SetPublishingMode(ref ServiceCall call) => ServiceOperations.HandOn(
        ref call,
        limits.MaxSubscriptionsPerCall,
        static (SetPublishingModeRequest request) => request.SubscriptionIds?.Length ?? 0,
        static (session, request) => session.SetPublishingMode(request));

    public StatusCode DeleteSubscriptions(ref ServiceCall call) =>
        ServiceOperations.HandOn(ref call, limits.MaxSubscriptionsPerCall, Deletion);

    /// <summary>Runs on a worker, because the request does not show how large the subscriptions are. LATE subscriptions
    /// publish behind the response: before it, the client would not know the subscription.</summary>
    public StatusCode TransferSubscriptions(ref ServiceCall call)
    {
        if (!call.IsDeferred)
            return call.Defer();
        call.Turn.ServesBehind = true;
        if (!call.TryDecode<TransferSubscriptionsRequest>(out var request, limits.MaxSubscriptionsPerCall))
            return call.Whole.Status;
        var status = OperationCount.Check(request.SubscriptionIds, limits.MaxSubscriptionsPerCall);
        return status.IsBad ? status : call.Run(TransferAsync(call.Turn, call.Session.Publishing!, request));
    }

    /// <summary>The engine holds the request or answers it immediately.</summary>
    public StatusCode Publish(ref ServiceCall call)
    {
        var reader = call.Body;
        var count = Math.Max(0, reader.ReadArrayLength(AcknowledgementBytes));
        if (reader.Failed)
            return reader.Status;
        if (count > publish.MaxAcknowledgementsPerPublish)
            return StatusCodes.BadTooManyOperations;
        Span<SubscriptionAcknowledgement> few = stackalloc SubscriptionAcknowledgement[FewAcknowledgements];
        var acknowledgements = count <= few.Length ? few[..count] : new SubscriptionAcknowledgement[count];
        for (var i = 0; i < count; i++)
            acknowledgements[i] = SubscriptionAcknowledgement.Decode(ref reader);
        return reader.Failed
            ? reader.Status
            : call.Session.Publishing!.Publish(call.RequestId, call.Head.ToHeader(), acknowledgements);
    }

    /// <summary>Waits until the review of the user's permissions has ended. A client that reconnects asks immediately
    /// for the messages that it missed.</summary>
    public static StatusCode Republish(ref ServiceCall call)
    {
        if (!call.TryDecode<RepublishRequest>(out var request))
            return call.Whole.Status;
        var session = call.Session.Publishing!;
        return session.TryReview(request.SubscriptionId)
            ? call.Reply(Republish(session, request))
            : call.Run(RepublishAsync(call.Turn, session, request));
    }

    private static RepublishResponse Republish(PublishSession session, RepublishRequest request)
    {
        var status = session.Republish(request.SubscriptionId, request.RetransmitSequenceNumber, out var message);
        var reader = new UaBinaryReader(message);
        return status.IsBad
            ? new RepublishResponse { ResponseHeader = new ResponseHeader { ServiceResult = status } }
            : new RepublishResponse { NotificationMessage = NotificationMessage.Decode(ref reader) };
    }

    private static async ValueTask<RepublishResponse?> RepublishAsync(
        RequestTurn turn, PublishSession session, RepublishRequest request)
    {
        while (!session.TryReview(request.SubscriptionId))
        {
            if (!turn.Take(UnitsToReview))
                await turn.NextAsync().ConfigureAwait(false);
        }

        return Republish(session, request);
    }

    /// <summary>Each step of a large transfer takes the locks for a slice of its own. A transfer that has begun is
    /// finished even if the client no longer waits for the response.</summary>
    private async ValueTask<TransferSubscriptionsResponse?> TransferAsync(
        RequestTurn turn, PublishSession session, TransferSubscriptionsRequest request)
    {
        var ids = request.SubscriptionIds!;
        var results = new TransferResult[ids.Length];
        for (var i = 0; i < ids.Length; i++)
        {
            var transfer = session.BeginTransfer(ids[i], request.SendInitialValues);
            try
            {
                while (!transfer.Step())
                {
                    if (!turn.Take(UnitsToTransfer))
                        await turn.NextAsync().ConfigureAwait(false);
                }
            }
            finally
            {
                transfer.Finish();
            }

            results[i] = transfer.Result;
            Tell(turn, ids[i], transfer);
            if (i + 1 < ids.Length && !turn.Take(UnitsToTransfer))
                await turn.NextAsync().ConfigureAwait(false);
        }

        return new TransferSubscriptionsResponse { Results = results };
    }

    /// <summary>Only refusals by permissions or caps get a line; any other failure is a mistake in the request.
    /// </summary>
    private void Tell(RequestTurn turn, uint id, SubscriptionTransfer transfer)
    {
        var (status, cap) = (transfer.Result.StatusCode, transfer.Cap);
        if (status.CodeBits is StatusCodes.BadUserAccessDenied or StatusCodes.BadTooManySubscriptions &&
            audit.TryList(AuditEvent.TransferRefused, status, cap))
            audit.List(AuditEvent.TransferRefused, turn.Session!, status, $"subscription {id}", turn.Identity, cap);
    }
}
