namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.14.3.</summary>
[Structure(791, 793)]
public sealed partial class ModifySubscriptionRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public uint SubscriptionId { get; init; }

    public double RequestedPublishingInterval { get; init; }

    public uint RequestedLifetimeCount { get; init; }

    public uint RequestedMaxKeepAliveCount { get; init; }

    public uint MaxNotificationsPerPublish { get; init; }

    public byte Priority { get; init; }
}
