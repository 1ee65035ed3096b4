namespace Gateway.Codec.Structures;

public enum TsnListenerStatus
{
    None = 0,
    Ready = 1,
    PartialFailed = 2,
    Failed = 3,
}
