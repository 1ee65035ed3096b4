namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.13.6.</summary>
[Structure(779, 781)]
public sealed partial class DeleteMonitoredItemsRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public uint SubscriptionId { get; init; }

    public uint[]? MonitoredItemIds { get; init; }
}
