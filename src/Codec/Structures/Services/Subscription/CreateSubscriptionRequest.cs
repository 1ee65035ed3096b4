namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.14.2.</summary>
[Structure(785, 787)]
public sealed partial class CreateSubscriptionRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public double RequestedPublishingInterval { get; init; }

    public uint RequestedLifetimeCount { get; init; }

    public uint RequestedMaxKeepAliveCount { get; init; }

    public uint MaxNotificationsPerPublish { get; init; }

    public bool PublishingEnabled { get; init; }

    public byte Priority { get; init; }
}
