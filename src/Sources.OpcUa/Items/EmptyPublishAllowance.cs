namespace Gateway.Sources.OpcUa.Items;

/// <summary>
/// How many answers to Publish may bring nothing new (R42). An honest server sends at most one keep-alive a publishing
/// interval and subscription; after a stall, or where Republish fills a gap, some more come at once. A peer that waits
/// for nothing sends tens of thousands a second, and keeps both sides busy. Thread: the connection's; Reset before
/// there is one.
/// </summary>
/// <param name="publishingIntervalMs">As asked for. The server's revised interval does not count: it could be anything.
/// </param>
internal sealed class EmptyPublishAllowance(UpstreamLimits limits, TimeProvider time, double publishingIntervalMs)
{
    private const double LeastPerSecond = 20;
    private const double PerInterval = 2;

    private readonly LeakyBucket _bucket = new(time);
    private double _perSecond = PerSecond(publishingIntervalMs);

    /// <param name="intervalMs">Asked for from now on.</param>
    public void Reset(double intervalMs)
    {
        _perSecond = PerSecond(intervalMs);
        _bucket.Reset();
    }

    /// <param name="subscriptions">That there are.</param>
    public bool TryTake(int subscriptions) =>
        _bucket.TryAdd(1, _perSecond * subscriptions, limits.MaxUpstreamEmptyPublishes);

    private static double PerSecond(double intervalMs) => intervalMs * LeastPerSecond < PerInterval * 1000
        ? PerInterval * 1000 / Math.Max(1, intervalMs)
        : LeastPerSecond;
}
