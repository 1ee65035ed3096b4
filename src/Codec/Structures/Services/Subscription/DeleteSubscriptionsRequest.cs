namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.14.8.</summary>
[Structure(845, 847)]
public sealed partial class DeleteSubscriptionsRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public uint[]? SubscriptionIds { get; init; }
}
