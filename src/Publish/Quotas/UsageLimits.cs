namespace Gateway.Publish.Quotas;

/// <summary>The caps of one holder (a session, a user, a certificate, an address, the server).</summary>
internal sealed record UsageLimits(int Subscriptions, int Items, long QueuedValues)
{
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
