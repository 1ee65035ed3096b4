namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.13.5.</summary>
[Structure(773, 775)]
public sealed partial class SetTriggeringRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public uint SubscriptionId { get; init; }

    public uint TriggeringItemId { get; init; }

    public uint[]? LinksToAdd { get; init; }

    public uint[]? LinksToRemove { get; init; }
}
