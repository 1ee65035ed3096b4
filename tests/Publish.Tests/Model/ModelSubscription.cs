namespace Gateway.Publish.Tests.Model;

/// <summary>The variables of Part 4 §5.14.1.2 for one subscription.</summary>
internal sealed class ModelSubscription(uint id, int interval, int keepAlive, int lifetime, long now)
{
    public uint Id => id;

    public int Priority { get; init; }

    public int MaxNotifications { get; init; }

    public bool Enabled { get; set; }

    /// <summary>First cycles fall on a grid of 10 ms.</summary>
    public long Due { get; set; } = (now + interval + 9) / 10 * 10;

    public int Interval => interval;

    public int MaxKeepAliveCount { get; } = keepAlive;

    public int LifetimeCount { get; } = lifetime;

    public int KeepAliveCounter { get; set; } = keepAlive;

    public int LifetimeCounter { get; set; } = lifetime;

    public int SeenArrivals { get; set; }

    public bool MessageSent { get; set; }

    public bool Wants { get; set; }

    public bool Late { get; set; }

    /// <summary>The last message did not hold all.</summary>
    public bool More { get; set; }

    public long LastServed { get; set; }

    public uint NextSequence { get; set; } = 1;

    public uint LastItem { get; set; }

    public List<ModelItem> Items { get; } = [];

    /// <summary>Items with something to report, in the order in which they got it.</summary>
    public List<ModelItem> Dirty { get; } = [];

    public List<(uint Sequence, string Message)> Kept { get; } = [];

    public bool HasNotifications => Enabled && Dirty.Count > 0;

    public void ResetLifetime() => LifetimeCounter = LifetimeCount;

    public void ResetKeepAlive() => KeepAliveCounter = MaxKeepAliveCount;
}
