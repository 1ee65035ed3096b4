using Gateway.Codec.Structures;

namespace Gateway.Sources.OpcUa.Health;

/// <summary>The report of one upstream to an operator. Its nodes are those of the last browse that came to its end.
/// </summary>
public sealed record UpstreamReport : SourceReport
{
    public required string EndpointUrl { get; init; }

    /// <summary>Short name; of the session, or as configured while there is none; empty: the best of both.</summary>
    public required string SecurityPolicy { get; init; }

    /// <summary>Of the session, or as required while there is none.</summary>
    public required MessageSecurityMode SecurityMode { get; init; }

    /// <summary>Null: configured secure.</summary>
    public string? InsecureReason { get; init; }

    /// <summary>Indexes of the gateway's NamespaceArray in use for it.</summary>
    public int Namespaces { get; init; }

    /// <summary>Each bound that its answers met since the start, and how often.</summary>
    public required IReadOnlyList<(UpstreamBound Bound, long Count)> Bounds { get; init; }

    public required UpstreamCounts Counts { get; init; }

    /// <summary>Null: it has answered nothing yet.</summary>
    public LatencyReport? Latency { get; init; }
}
