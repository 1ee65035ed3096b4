namespace Gateway.Publish;

/// <summary>The watchers of one node's value, summed over all shards. The shards are read one after the other: the
/// sums are of about one moment.</summary>
public sealed record WatchReport
{
    /// <summary>Monitored items on the value.</summary>
    public required int Items { get; init; }

    /// <summary>Of these: disabled, or sampled without being reported.</summary>
    public required int Silent { get; init; }

    /// <summary>Items that wait for the NodeId to come back.</summary>
    public required int Orphans { get; init; }

    /// <summary>0: every change.</summary>
    public required double FastestSamplingMs { get; init; }

    public required double SlowestSamplingMs { get; init; }

    /// <summary>The sum of the queue sizes.</summary>
    public required long QueueCapacity { get; init; }

    /// <summary>Values that wait in them.</summary>
    public required long Queued { get; init; }

    /// <summary>The subscriptions behind the items, the late ones first; at most
    /// <see cref="Services.WatchService.MaxWatchers"/>.</summary>
    public required IReadOnlyList<WatcherReport> Watchers { get; init; }

    /// <summary>How many subscriptions there are.</summary>
    public required int Subscriptions { get; init; }

    /// <summary>How many of them wait for a Publish request.</summary>
    public required int Late { get; init; }

    /// <summary>Of the last sweeps of the shards that watch: the worst.</summary>
    public required TimeSpan Lateness { get; init; }

    /// <summary>Changes of any node that wait for those shards.</summary>
    public required int PendingChanges { get; init; }
}
