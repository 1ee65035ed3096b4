namespace Gateway.Store;

/// <summary>Records that were lost. Gaps of one reason that follow each other are one until the owner has acknowledged
/// it. Records between both ends that are not counted were delivered, or are in another gap.</summary>
public sealed record StoreGap
{
    public required GapReason Reason { get; init; }

    /// <summary>Sequence number of the first lost record.</summary>
    public required long From { get; init; }

    /// <summary>Sequence number of the last lost record.</summary>
    public required long To { get; init; }

    /// <summary>Lost records.</summary>
    public required long Count { get; init; }

    /// <summary>UTC. For unreadable records: the time at which the log noticed.</summary>
    public required DateTime FirstTime { get; init; }

    /// <summary>UTC.</summary>
    public required DateTime LastTime { get; init; }

    /// <summary>Lost records by writer. Unreadable ones, and those above the bound of writers, are of none.</summary>
    public required IReadOnlyDictionary<ushort, long> Writers { get; init; }
}
