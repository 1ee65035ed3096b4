using Gateway.Codec.Structures;

namespace Gateway.Sources.OpcUa.Health;

/// <summary>One upstream as an operator is told of it. Texts hold nothing of a peer that is not escaped and cut.
/// </summary>
public sealed record UpstreamReport
{
    public required string Name { get; init; }

    public required string EndpointUrl { get; init; }

    public required UpstreamState State { get; init; }

    /// <summary>Since when it is in that state.</summary>
    public required DateTimeOffset Since { get; init; }

    /// <summary>Short name; of the session, or as configured while there is none; empty: the best of both.</summary>
    public required string SecurityPolicy { get; init; }

    /// <summary>Of the session, or as required while there is none.</summary>
    public required MessageSecurityMode SecurityMode { get; init; }

    /// <summary>Null: configured secure.</summary>
    public string? InsecureReason { get; init; }

    /// <summary>Null: none since the start.</summary>
    public string? LastError { get; init; }

    public DateTimeOffset? LastErrorAt { get; init; }

    /// <summary>What an operator can do about it; null while it is connected.</summary>
    public string? Remedy { get; init; }

    /// <summary>Served, after the last browse that came to its end.</summary>
    public int Nodes { get; init; }

    /// <summary>Indexes of the gateway's NamespaceArray in use for it.</summary>
    public int Namespaces { get; init; }

    /// <summary>Each bound that its answers met since the start, and how often.</summary>
    public required IReadOnlyList<(UpstreamBound Bound, long Count)> Bounds { get; init; }
}
