namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.13.3.</summary>
[Structure(761, 763)]
public sealed partial class ModifyMonitoredItemsRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public uint SubscriptionId { get; init; }

    public TimestampsToReturn TimestampsToReturn { get; init; }

    public MonitoredItemModifyRequest[]? ItemsToModify { get; init; }
}
