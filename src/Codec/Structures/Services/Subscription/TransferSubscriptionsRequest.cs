namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.14.7.</summary>
[Structure(839, 841)]
public sealed partial class TransferSubscriptionsRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public uint[]? SubscriptionIds { get; init; }

    public bool SendInitialValues { get; init; }
}
