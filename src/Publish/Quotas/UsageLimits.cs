namespace Gateway.Publish.Quotas;

/// <summary>The caps of one holder (a session, a user, a certificate, an address, the server). They follow the limits
/// of the configuration. Threads: any reads, one writes.</summary>
internal sealed class UsageLimits(int subscriptions, int items, long queuedValues)
{
    private sealed record Caps(int Subscriptions, int Items, long QueuedValues);

    private volatile Caps _caps = new(subscriptions, items, queuedValues);

    public int Subscriptions => _caps.Subscriptions;

    public int Items => _caps.Items;

    public long QueuedValues => _caps.QueuedValues;

    /// <summary>Its numbers are those of the other from now on, all at one instant. Holders that have more keep it, and
    /// get no more.</summary>
    public void Follow(UsageLimits other) => _caps = other._caps;

    public static UsageLimits OfSession(PublishLimits limits) => new(
        limits.MaxSubscriptionsPerSession, limits.MaxMonitoredItemsPerSession, limits.MaxQueuedValuesPerSession);

    public static UsageLimits OfUser(PublishLimits limits) => new(
        limits.MaxSubscriptionsPerUser, limits.MaxMonitoredItemsPerUser, limits.MaxQueuedValuesPerUser);

    public static UsageLimits OfCertificate(PublishLimits limits) => new(
        limits.MaxSubscriptionsPerCertificate, limits.MaxMonitoredItemsPerCertificate,
        limits.MaxQueuedValuesPerCertificate);

    public static UsageLimits OfAddress(PublishLimits limits) => new(
        limits.MaxSubscriptionsPerAddress, limits.MaxMonitoredItemsPerAddress, limits.MaxQueuedValuesPerAddress);

    public static UsageLimits OfServer(PublishLimits limits) => new(
        limits.MaxSubscriptions, limits.MaxMonitoredItems, limits.MaxQueuedValues);
}
