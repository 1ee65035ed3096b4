namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.13.4.</summary>
[Structure(767, 769)]
public sealed partial class SetMonitoringModeRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public uint SubscriptionId { get; init; }

    public MonitoringMode MonitoringMode { get; init; }

    public uint[]? MonitoredItemIds { get; init; }
}
