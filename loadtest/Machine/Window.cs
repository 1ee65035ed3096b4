namespace Gateway.Loadtest.Machine;

/// <summary>Server and driver between two moments; NaN where the server's process is not known or does not
/// tell.</summary>
internal sealed class Window(
    ProcessSample? serverFrom, ProcessSample? serverTo, ProcessSample driverFrom, ProcessSample driverTo)
{
    private const double BytesPerMegabyte = 1e6;

    public double Seconds { get; } =
        TimeProvider.System.GetElapsedTime(driverFrom.Timestamp, driverTo.Timestamp).TotalSeconds;

    public double ServerCpuSeconds => Change(serverFrom?.CpuSeconds, serverTo?.CpuSeconds);

    /// <summary>Cores in use; 1 is one core busy all the time.</summary>
    public double ServerCores => ServerCpuSeconds / Seconds;

    public double DriverCpuSeconds => driverTo.CpuSeconds - driverFrom.CpuSeconds;

    public double DriverCores => DriverCpuSeconds / Seconds;

    /// <summary>At the end.</summary>
    public double ServerResidentBytes => serverTo?.ResidentBytes ?? double.NaN;

    public double ServerThreads => serverTo?.Threads ?? double.NaN;

    public double ServerSwitchesPerSecond => Change(serverFrom?.ContextSwitches, serverTo?.ContextSwitches) / Seconds;

    public double ServerAllocatedBytes =>
        Change(serverFrom?.Runtime?.AllocatedBytes, serverTo?.Runtime?.AllocatedBytes);

    /// <summary>MB (10⁶ bytes) a second, over the time between the two writings of the counters.</summary>
    public double ServerAllocatedMegabytesPerSecond => ServerAllocatedBytes / BytesPerMegabyte / RuntimeSeconds;

    /// <summary>Managed, at the end, with uncollected objects.</summary>
    public double ServerHeapBytes => serverTo?.Runtime?.HeapBytes ?? double.NaN;

    public double ServerGen0 => Change(serverFrom?.Runtime?.Gen0, serverTo?.Runtime?.Gen0);

    public double ServerGen1 => Change(serverFrom?.Runtime?.Gen1, serverTo?.Runtime?.Gen1);

    public double ServerGen2 => Change(serverFrom?.Runtime?.Gen2, serverTo?.Runtime?.Gen2);

    public double ServerPauseMs => Change(serverFrom?.Runtime?.PauseTicks, serverTo?.Runtime?.PauseTicks) /
        TimeSpan.TicksPerMillisecond;

    public double DriverAllocatedBytes =>
        Change(driverFrom.Runtime?.AllocatedBytes, driverTo.Runtime?.AllocatedBytes);

    public double DriverResidentBytes => driverTo.ResidentBytes;

    private double RuntimeSeconds =>
        Change(serverFrom?.Runtime?.Ticks, serverTo?.Runtime?.Ticks) / TimeSpan.TicksPerSecond;

    private static double Change(double? from, double? to) => to - from ?? double.NaN;
}
