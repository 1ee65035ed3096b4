namespace Gateway.Codec.Structures;

[Structure(856, 858)]
public sealed partial class SamplingIntervalDiagnosticsDataType
{
    public double SamplingInterval { get; init; }

    public uint MonitoredItemCount { get; init; }

    public uint MaxMonitoredItemCount { get; init; }

    public uint DisabledMonitoredItemCount { get; init; }
}
