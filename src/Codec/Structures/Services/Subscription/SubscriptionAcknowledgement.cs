namespace Gateway.Codec.Structures;

[Structure(821, 823)]
public readonly partial record struct SubscriptionAcknowledgement
{
    public uint SubscriptionId { get; init; }

    public uint SequenceNumber { get; init; }
}
