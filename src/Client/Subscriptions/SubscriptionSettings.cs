namespace Gateway.Client.Subscriptions;

/// <summary>The requested settings; the server revises them.</summary>
public sealed record SubscriptionSettings
{
    public double PublishingIntervalMs { get; init; } = 1000;

    public uint LifetimeCount { get; init; } = 60;

    public uint MaxKeepAliveCount { get; init; } = 10;

    /// <summary>0: no limit.</summary>
    public uint MaxNotificationsPerPublish { get; init; }

    public byte Priority { get; init; }

    /// <summary>False: items fill their queues and nothing is told before SetPublishingMode. Source: Part 4 §5.14.4.
    /// </summary>
    public bool PublishingEnabled { get; init; } = true;
}
