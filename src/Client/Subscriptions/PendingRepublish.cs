using Gateway.Client.Requests;
using Gateway.Codec.Types;

namespace Gateway.Client.Subscriptions;

/// <summary>A Republish under way: its answer goes to the subscription as bytes.</summary>
internal sealed class PendingRepublish(ClientSubscription subscription, ClientConnection connection) : PendingRequest
{
    public override void Complete(ReadOnlySpan<byte> message) => subscription.OnRepublished(message);

    /// <summary>Without an answer the order of later messages cannot be kept: the connection is given up.</summary>
    public override void Fail(StatusCode status, string detail)
    {
        connection.Abort(status, "a Republish without an answer");
        subscription.OnRepublishFailed(status);
    }
}
