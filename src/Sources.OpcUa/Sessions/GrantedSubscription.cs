using Gateway.Client.Subscriptions;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>The gateway's subscription, as the upstream revised it.</summary>
/// <param name="Id">The upstream's.</param>
/// <param name="PublishingIntervalMs">A number that may be none.</param>
/// <param name="Lifetime">For how long it stays without Publish requests.</param>
internal readonly record struct GrantedSubscription(uint Id, double PublishingIntervalMs, TimeSpan Lifetime)
{
    /// <summary>As the session knows it: a number says nothing, another server has the same.</summary>
    public ClientSubscription? Made { get; init; }
}
