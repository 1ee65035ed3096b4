namespace Gateway.Codec.Structures;

public enum TsnTalkerStatus
{
    None = 0,
    Ready = 1,
    Failed = 2,
}
