namespace Gateway.Rest.Overview;

/// <summary>The gateway at one moment, and the rates since the sample before. Immutable.</summary>
public sealed record OverviewSample
{
    /// <summary>Counts from 1 since the start.</summary>
    public required long Sequence { get; init; }

    public required DateTime At { get; init; }

    public long Sessions { get; init; }

    /// <summary>Of UA-TCP.</summary>
    public long Connections { get; init; }

    public long HttpConnections { get; init; }

    public long Subscriptions { get; init; }

    public long MonitoredItems { get; init; }

    public double NotificationsPerSecond { get; init; }

    /// <summary>Messages of subscriptions and batches of streams.</summary>
    public double MessagesPerSecond { get; init; }

    /// <summary>Of UA Binary and HTTP.</summary>
    public double RequestsPerSecond { get; init; }

    /// <summary>Rejected by admission, at all stages.</summary>
    public double RejectionsPerSecond { get; init; }

    /// <summary>The worst sweep since the sample before.</summary>
    public double LatenessMs { get; init; }

    /// <summary>Of one core.</summary>
    public double CpuPercent { get; init; }

    /// <summary>Resident.</summary>
    public long MemoryBytes { get; init; }
}
