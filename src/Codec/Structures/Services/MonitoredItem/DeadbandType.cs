namespace Gateway.Codec.Structures;

public enum DeadbandType
{
    None = 0,
    Absolute = 1,
    Percent = 2,
}
