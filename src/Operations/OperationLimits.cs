namespace Gateway.Operations;

/// <summary>Bounds the work of one request, the same for every protocol.</summary>
public sealed record OperationLimits
{
    /// <summary>References of one node in one response; a continuation point keeps the rest.</summary>
    public required int MaxReferencesPerNode { get; init; }

    /// <summary>References that one Browse or BrowseNext visits.</summary>
    public required int MaxReferencesPerCall { get; init; }

    public required int MaxBrowseContinuationPoints { get; init; }

    /// <summary>Nodes that one RelativePath may pass through.</summary>
    public required int MaxNodesPerBrowsePath { get; init; }

    /// <summary>Work units of one request before other requests get their turn.</summary>
    public required int MaxWorkPerTurn { get; init; }

    /// <summary>Work units of one request altogether.</summary>
    public required int MaxWorkPerRequest { get; init; }

    /// <summary>Bytes of the index ranges and method outputs that sources return for one request.</summary>
    public required long MaxAnswerBytesPerRequest { get; init; }
}
