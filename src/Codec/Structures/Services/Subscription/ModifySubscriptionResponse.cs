namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.14.3.</summary>
[Structure(794, 796)]
public sealed partial class ModifySubscriptionResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public double RevisedPublishingInterval { get; init; }

    public uint RevisedLifetimeCount { get; init; }

    public uint RevisedMaxKeepAliveCount { get; init; }
}
