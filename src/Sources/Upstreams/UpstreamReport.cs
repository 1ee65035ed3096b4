using Gateway.Codec.Structures;

namespace Gateway.Sources.Upstreams;

/// <summary>The report of one configured upstream to an operator, whatever its driver: <c>/api/v1/upstreams</c> has
/// these of all drivers. Its nodes are those of the last time that they were loaded whole.</summary>
public sealed record UpstreamReport : SourceReport
{
    /// <summary>As the key <c>Driver</c> names it.</summary>
    public required string Driver { get; init; }

    public required string EndpointUrl { get; init; }

    /// <summary>Short name; of the session, or as configured while there is none; empty: the best of both.</summary>
    public string SecurityPolicy { get; init; } = string.Empty;

    /// <summary>Of the session, or as required while there is none.</summary>
    public required MessageSecurityMode SecurityMode { get; init; }

    /// <summary>Null: configured secure.</summary>
    public string? InsecureReason { get; init; }

    /// <summary>Indexes of the gateway's NamespaceArray in use for it.</summary>
    public int Namespaces { get; init; }

    /// <summary>Each limit that its answers met since the start, and how often.</summary>
    public IReadOnlyList<(string Limit, long Count)> Bounds { get; init; } = [];

    public required UpstreamCounts Counts { get; init; }

    /// <summary>Null: it has answered nothing yet.</summary>
    public LatencyReport? Latency { get; init; }

    /// <summary>Null: the driver has no load budget.</summary>
    public LoadReport? Load { get; init; }

    /// <summary>Null: its model is the one that an operator knows, or the driver has no guard.</summary>
    public DriftReport? Drift { get; init; }

    /// <summary>Null: there is one server alone.</summary>
    public RedundancyReport? Redundancy { get; init; }

    /// <summary>Of its servers; empty: none was connected to with security.</summary>
    public IReadOnlyList<PresentedCertificate> Certificates { get; init; } = [];
}
