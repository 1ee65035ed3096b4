namespace Gateway.Operations;

/// <summary>What one request may look at, and for how long, whichever door it came through.</summary>
public sealed record OperationLimits
{
    /// <summary>References of one node in one answer; the rest waits behind a continuation point.</summary>
    public required int MaxReferencesPerNode { get; init; }

    /// <summary>References that one Browse or BrowseNext looks at.</summary>
    public required int MaxReferencesPerCall { get; init; }

    public required int MaxBrowseContinuationPoints { get; init; }

    /// <summary>Nodes that one RelativePath may pass through.</summary>
    public required int MaxNodesPerBrowsePath { get; init; }

    /// <summary>Units of work of one request before others get their turn.</summary>
    public required int MaxWorkPerTurn { get; init; }

    /// <summary>Units of work of one request altogether.</summary>
    public required int MaxWorkPerRequest { get; init; }

    /// <summary>Bytes of index ranges and method outputs that sources answer one request with.</summary>
    public required long MaxAnswerBytesPerRequest { get; init; }
}
