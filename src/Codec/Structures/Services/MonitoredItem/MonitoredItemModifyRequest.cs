namespace Gateway.Codec.Structures;

[Structure(755, 757)]
public readonly partial record struct MonitoredItemModifyRequest
{
    public uint MonitoredItemId { get; init; }

    public MonitoringParameters RequestedParameters { get; init; }
}
