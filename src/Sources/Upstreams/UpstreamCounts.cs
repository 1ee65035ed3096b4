namespace Gateway.Sources.Upstreams;

/// <summary>The counts of one upstream since the start of the gateway; the same as its counters in the metrics.
/// </summary>
public sealed record UpstreamCounts
{
    /// <summary>Sessions with it.</summary>
    public long Connects { get; init; }

    /// <summary>Attempts that failed.</summary>
    public long ConnectFailures { get; init; }

    /// <summary>Values received.</summary>
    public long Notifications { get; init; }

    /// <summary>NotificationMessages that Republish could not return.</summary>
    public long LostMessages { get; init; }

    /// <summary>Lost connections after which the session went on upon another one.</summary>
    public long Resumed { get; init; }

    /// <summary>Lost connections after which a new session took over the subscription.</summary>
    public long Transferred { get; init; }

    /// <summary>NotificationMessages that Republish brought after a lost connection.</summary>
    public long RecoveredMessages { get; init; }

    /// <summary>Lost connections after which the subscription was gone, and changes with it.</summary>
    public long Gaps { get; init; }

    /// <summary>Times that connecting was suspended.</summary>
    public long CircuitBreaks { get; init; }

    /// <summary>Events received, those of refreshes among them.</summary>
    public long Events { get; init; }

    /// <summary>Events that could not be taken.</summary>
    public long RefusedEvents { get; init; }

    /// <summary>Conditions and their branches that are known now.</summary>
    public int Conditions { get; init; }

    /// <summary>Monitored there now.</summary>
    public int MonitoredItems { get; init; }

    /// <summary>Watched there now by Reads, because there is no item for them.</summary>
    public int CyclicItems { get; init; }
}
