namespace Gateway.Publish.Quotas;

/// <summary>The caps of one holder (a session, a user, a certificate, an address, the server). They follow the limits
/// of the configuration. Threads: any reads, one writes.</summary>
internal sealed class UsageLimits(int subscriptions, int items, long queuedValues)
{
    private int _subscriptions = subscriptions;
    private int _items = items;
    private long _queuedValues = queuedValues;

    public int Subscriptions => Volatile.Read(ref _subscriptions);

    public int Items => Volatile.Read(ref _items);

    public long QueuedValues => Volatile.Read(ref _queuedValues);

    /// <summary>Its numbers are those of the other from now on. Holders that have more keep it, and get no more.
    /// </summary>
    public void Follow(UsageLimits other)
    {
        Volatile.Write(ref _subscriptions, other.Subscriptions);
        Volatile.Write(ref _items, other.Items);
        Volatile.Write(ref _queuedValues, other.QueuedValues);
    }

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
