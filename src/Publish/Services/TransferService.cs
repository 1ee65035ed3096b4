using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Durable;

namespace Gateway.Publish.Services;

/// <summary>
/// TransferSubscriptions: a subscription leaves its session, which may be closed, and perhaps its shard; its items,
/// their queues and the messages that wait for acknowledgement go along. Source: Part 4 §5.14.7.
/// </summary>
internal sealed class TransferService(PublishEngine engine)
{
    public SubscriptionTransfer Begin(PublishSession to, uint subscriptionId, bool sendInitialValues) =>
        new(engine, to, subscriptionId, sendInitialValues);

    /// <summary>Gives the subscriptions that a session of the process before has left to the one that goes on with
    /// it. On this thread.</summary>
    public void TakeBack(PublishSession to, RestoredSession left)
    {
        foreach (var id in left.Subscriptions)
            Run(new SubscriptionTransfer(engine, to, id, sendInitialValues: false, of: left));
    }

    /// <summary>All of it on this thread.</summary>
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
            results[i] = Run(Begin(to, ids[i], request.SendInitialValues));
        return new TransferSubscriptionsResponse { Results = results };
    }

    private static TransferResult Run(SubscriptionTransfer transfer)
    {
        while (!transfer.Step())
        {
        }

        return transfer.Result;
    }
}
