namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.14.5.</summary>
[Structure(824, 826)]
public sealed partial class PublishRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public SubscriptionAcknowledgement[]? SubscriptionAcknowledgements { get; init; }
}
