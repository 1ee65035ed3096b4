namespace Gateway.Loadtest.Machine;

/// <summary>A process at one moment.</summary>
/// <param name="Timestamp">Of the driver's monotonic clock.</param>
/// <param name="Runtime">Null: the process does not tell.</param>
internal sealed record ProcessSample(
    long Timestamp,
    double CpuSeconds,
    double ResidentBytes,
    double Threads,
    double ContextSwitches,
    RuntimeCounters? Runtime);
