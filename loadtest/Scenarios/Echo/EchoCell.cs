namespace Gateway.Loadtest.Scenarios.Echo;

/// <summary>One line of the table. NaN: not known in this run.</summary>
internal sealed record EchoCell
{
    public required string Policy { get; init; }

    public required int PayloadBytes { get; init; }

    /// <summary>−1: the server's own, not known.</summary>
    public required int BatchBytes { get; init; }

    /// <summary>−1: the server's own, not known.</summary>
    public required int ChunkBytes { get; init; }

    public required int Depth { get; init; }

    public long Calls { get; init; }

    public double Seconds { get; init; }

    /// <summary>From the call to its answer; of several under way each waits for the others, too.</summary>
    public double MedianUs { get; init; } = double.NaN;

    public double P99Us { get; init; } = double.NaN;

    public double ServerCpuUs { get; init; } = double.NaN;

    public double DriverCpuUs { get; init; } = double.NaN;

    public double AllocatedBytes { get; init; } = double.NaN;

    public double SystemCalls { get; init; } = double.NaN;

    /// <summary>Empty, or why there are no figures.</summary>
    public string Refusal { get; init; } = string.Empty;
}
