namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.14.6.</summary>
[Structure(830, 832)]
public sealed partial class RepublishRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public uint SubscriptionId { get; init; }

    public uint RetransmitSequenceNumber { get; init; }
}
