using Gateway.Codec.Types;

namespace Gateway.Client.Subscriptions;

/// <summary>Receives the notifications of a subscription. Threads: the connection's own, one call at a time and in the
/// order of sequence numbers; no member may block.</summary>
public interface ISubscriptionHandler
{
    /// <summary>One DataChangeNotification, as its bytes: nothing is decoded that the handler does not ask for.
    ///</summary>
    void OnDataChange(ClientSubscription subscription, ref DataChangeReader changes);

    /// <summary>One EventNotificationList.</summary>
    void OnEvents(ClientSubscription subscription, ref EventListReader events)
    {
    }

    void OnKeepAlive(ClientSubscription subscription)
    {
    }

    /// <summary>An answer to Publish was asked for again and brought no data: a keep-alive, a message that came before,
    /// an empty one, the first behind a gap, a Bad_Timeout. A server that does not wait for its interval can send them
    /// without end; how many are too many is the handler's to say.</summary>
    void OnNothingNew(ClientSubscription subscription)
    {
    }

    /// <summary>The server ended the subscription (Bad_Timeout) or moved it (Good_SubscriptionTransferred).</summary>
    void OnStatusChange(ClientSubscription subscription, StatusCode status)
    {
    }

    /// <summary>Notifications that were sent and that neither came nor could be had by Republish, or that came and
    /// could not be read to their end.</summary>
    void OnLost(ClientSubscription subscription, uint firstSequenceNumber, uint count)
    {
    }
}
