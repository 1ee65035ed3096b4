namespace Gateway.Codec.Structures;

public enum NegotiationStatus
{
    InProgress = 0,
    Complete = 1,
    Failed = 2,
    Unknown = 3,
    NoNegotiation = 4,
}
