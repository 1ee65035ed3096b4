namespace Gateway.Store;

/// <summary>The state of a log at one moment, for people. Rates are means over about a minute.</summary>
public sealed record StoreState
{
    /// <summary>Bytes of the segments on disk.</summary>
    public required long StoredBytes { get; init; }

    public required long MaxBytes { get; init; }

    /// <summary>Bytes that wait in memory for the disk.</summary>
    public required long UnwrittenBytes { get; init; }

    /// <summary>Records that the consumer has not ended.</summary>
    public required long Records { get; init; }

    /// <summary>Records in the consumer's hands.</summary>
    public required int Outstanding { get; init; }

    /// <summary>UTC; the oldest record that was not ended is at most this old. Null: there is none.</summary>
    public required DateTime? OldestTime { get; init; }

    public required double RecordsInPerSecond { get; init; }

    public required double RecordsOutPerSecond { get; init; }

    /// <summary>Growth of the segments; negative: they shrink.</summary>
    public required double GrowthBytesPerSecond { get; init; }

    /// <summary>At this growth the oldest segment is overwritten in this time. Null: it does not grow, or the
    /// consumer keeps up.</summary>
    public required TimeSpan? UntilFull { get; init; }

    /// <summary>Records appended since the start, without the lost ones.</summary>
    public required long Appended { get; init; }

    public required long Acknowledged { get; init; }

    /// <summary>Records lost since the start.</summary>
    public required long Lost { get; init; }

    /// <summary>Gaps that wait for <see cref="StoreLog.AcknowledgeGap"/>.</summary>
    public required int Gaps { get; init; }

    /// <summary>False: the disk fails, and new records are only in memory.</summary>
    public required bool IsWriting { get; init; }

    public required long DiskErrors { get; init; }

    /// <summary>Null: there was none.</summary>
    public required string? LastError { get; init; }

    public required DateTime? LastErrorTime { get; init; }
}
