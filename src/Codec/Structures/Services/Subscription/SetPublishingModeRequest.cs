namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.14.4.</summary>
[Structure(797, 799)]
public sealed partial class SetPublishingModeRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public bool PublishingEnabled { get; init; }

    public uint[]? SubscriptionIds { get; init; }
}
