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

    /// <summary>Times that connecting was suspended.</summary>
    public long CircuitBreaks { get; init; }

    /// <summary>Monitored there now.</summary>
    public int MonitoredItems { get; init; }
}
