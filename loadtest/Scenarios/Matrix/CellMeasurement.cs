namespace Gateway.Loadtest.Scenarios.Matrix;

/// <summary>The observations in one cell. NaN: not known.</summary>
internal sealed record CellMeasurement
{
    public required MatrixCell Cell { get; init; }

    public double Seconds { get; init; } = double.NaN;

    public double ServerCores { get; init; } = double.NaN;

    public double DriverCores { get; init; } = double.NaN;

    public double ServerMemoryMiB { get; init; } = double.NaN;

    public double ValuesPerSecond { get; init; }

    /// <summary>The rate that the tags' change rate makes due.</summary>
    public double ExpectedPerSecond { get; init; }

    /// <summary>A message against its publishing cycle.</summary>
    public double LatenessP99Ms { get; init; } = double.NaN;

    /// <summary>Source time to receipt.</summary>
    public double LatencyP99Ms { get; init; } = double.NaN;

    /// <summary>The findings of the checks, and their number; empty: every value came, once and in order.</summary>
    public string Losses { get; init; } = string.Empty;

    /// <summary>Empty, or the status and the refused request.</summary>
    public string Refusal { get; init; } = string.Empty;

    public bool IsOutOfTime { get; init; }
}
