namespace Gateway.Sources.Upstreams;

/// <summary>The servers that stand in for each other behind one upstream. Immutable.</summary>
public sealed record RedundancyReport
{
    /// <summary>As the server in use says: none, cold, warm, hot, transparent, hotandmirrored; empty: not known yet.
    /// </summary>
    public required string Support { get; init; }

    /// <summary>Times that another server took over since the start.</summary>
    public required long Failovers { get; init; }

    public required IReadOnlyList<RedundantServer> Servers { get; init; }

    /// <summary>The set is hot now: one of those that stand by is to have the items, too.</summary>
    public bool IsHot { get; init; }
}
