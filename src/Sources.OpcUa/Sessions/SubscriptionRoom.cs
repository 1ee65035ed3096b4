namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>One of the gateway's subscriptions, and the items in it. Owner: <see cref="UpstreamSubscriptions"/>.
/// </summary>
internal sealed class SubscriptionRoom(GrantedSubscription subscription)
{
    public GrantedSubscription Subscription => subscription;

    public int Items { get; set; }

    /// <summary>Items that the upstream takes; as long as it has refused none, any number.</summary>
    public int Capacity { get; set; } = int.MaxValue;

    public int Left => Capacity - Items;
}
