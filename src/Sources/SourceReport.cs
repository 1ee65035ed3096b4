namespace Gateway.Sources;

/// <summary>The report of one connection of a driver to an operator. Texts hold nothing of a peer that is not escaped
/// and cut.</summary>
public record SourceReport
{
    /// <summary>As configured; unique in its driver.</summary>
    public required string Name { get; init; }

    public required SourceState State { get; init; }

    /// <summary>Since when it is in that state.</summary>
    public required DateTimeOffset Since { get; init; }

    /// <summary>Null: none since the start.</summary>
    public string? LastError { get; init; }

    public DateTimeOffset? LastErrorAt { get; init; }

    /// <summary>The advice to an operator; null while it is connected.</summary>
    public string? Remedy { get; init; }

    /// <summary>Nodes that it serves.</summary>
    public int Nodes { get; init; }
}
