using Gateway.Client.Subscriptions;

namespace Gateway.Loadtest.Scenarios.Soak;

/// <summary>A visitor's subscription: only the good sessions are checked.</summary>
internal sealed class IgnoredValues : ISubscriptionHandler
{
    public void OnDataChange(ClientSubscription subscription, ref DataChangeReader changes)
    {
    }
}
