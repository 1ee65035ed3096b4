namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.14.2.</summary>
[Structure(788, 790)]
public sealed partial class CreateSubscriptionResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public uint SubscriptionId { get; init; }

    public double RevisedPublishingInterval { get; init; }

    public uint RevisedLifetimeCount { get; init; }

    public uint RevisedMaxKeepAliveCount { get; init; }
}
