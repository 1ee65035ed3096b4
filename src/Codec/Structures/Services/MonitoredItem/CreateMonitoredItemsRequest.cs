namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.13.2.</summary>
[Structure(749, 751)]
public sealed partial class CreateMonitoredItemsRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public uint SubscriptionId { get; init; }

    public TimestampsToReturn TimestampsToReturn { get; init; }

    public MonitoredItemCreateRequest[]? ItemsToCreate { get; init; }
}
