namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>One of the gateway's subscriptions, and the items in it. Owner: <see cref="UpstreamSubscriptions"/>.
/// </summary>
/// <param name="subscription">As made.</param>
/// <param name="declared">Items that the upstream says that it takes in each.</param>
internal sealed class SubscriptionRoom(GrantedSubscription subscription, int declared = int.MaxValue)
{
    private readonly int _declared = declared;

    public GrantedSubscription Subscription => subscription;

    public int Items { get; set; }

    /// <summary>Items that the upstream takes; as long as it has refused none, as it says.</summary>
    public int Capacity { get; set; } = declared;

    /// <summary>Its refusals say nothing any more.</summary>
    public void TryAgain() => Capacity = _declared;

    public int Left => Capacity - Items;
}
