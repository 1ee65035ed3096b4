namespace Gateway.Publish.Subscriptions;

/// <summary>Publishing interval and counts as revised: inside the limits, the lifetime at least three keep-alives.
/// Source: Part 4 §5.14.2.</summary>
internal readonly record struct SubscriptionTimes(
    double PublishingIntervalMs, uint LifetimeCount, uint MaxKeepAliveCount)
{
    public static SubscriptionTimes Revise(
        double intervalMs, uint lifetimeCount, uint keepAliveCount, PublishLimits inForce,
        bool isDurable = false)
    {
        var limits = inForce.Now;
        // 0, negative numbers and NaN ask for the fastest.
        var interval = intervalMs > limits.MinPublishingIntervalMs
            ? Math.Min(intervalMs, limits.MaxPublishingIntervalMs)
            : limits.MinPublishingIntervalMs;
        var keepAlive = keepAliveCount == 0 ? limits.DefaultKeepAliveCount : keepAliveCount;
        keepAlive = Math.Min(keepAlive, Cycles(limits.MaxKeepAliveIntervalMs, interval));
        var lifetime = Math.Max(lifetimeCount, Cycles(limits.MinSubscriptionLifetimeMs, interval));
        var longestMs = isDurable ? HoursToMs((uint)limits.MaxDurableLifetimeHours) : limits.MaxSubscriptionLifetimeMs;
        lifetime = Math.Min(lifetime, Cycles(longestMs, interval));
        return new SubscriptionTimes(interval, Math.Max(lifetime, 3 * keepAlive), keepAlive);
    }

    /// <summary>With the lifetime that a durable subscription was given.</summary>
    public uint LifetimeOf(uint hours) =>
        Math.Max(Cycles(HoursToMs(hours), PublishingIntervalMs), 3 * MaxKeepAliveCount);

    private static double HoursToMs(uint hours) => TimeSpan.FromHours(hours).TotalMilliseconds;

    /// <summary>Whole publishing cycles in a time, rounded up, at least one.</summary>
    private static uint Cycles(double durationMs, double intervalMs) =>
        (uint)Math.Clamp(Math.Ceiling(durationMs / intervalMs), 1, uint.MaxValue / 4);
}
