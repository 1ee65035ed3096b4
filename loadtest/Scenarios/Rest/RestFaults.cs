namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>What must not happen to the connections of a part.</summary>
internal sealed record RestFaults
{
    /// <summary>Answers that are not what they have to be.</summary>
    public long Wrong { get; init; }

    /// <summary>Connections that the server ended.</summary>
    public int Lost { get; init; }

    /// <summary>Variables that do not read as they were written last.</summary>
    public int NotWritten { get; init; }

    /// <summary>Null: none was lost.</summary>
    public string? FirstLoss { get; init; }
}
