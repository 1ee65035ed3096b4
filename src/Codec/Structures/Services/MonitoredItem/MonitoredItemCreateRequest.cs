namespace Gateway.Codec.Structures;

[Structure(743, 745)]
public readonly partial record struct MonitoredItemCreateRequest
{
    public ReadValueId ItemToMonitor { get; init; }

    public MonitoringMode MonitoringMode { get; init; }

    public MonitoringParameters RequestedParameters { get; init; }
}
