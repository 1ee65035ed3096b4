namespace Gateway.Codec.Structures;

public enum Duplex
{
    Full = 0,
    Half = 1,
    Unknown = 2,
}
