namespace Gateway.Codec.Structures;

public enum TsnStreamState
{
    Disabled = 0,
    Configuring = 1,
    Ready = 2,
    Operational = 3,
    Error = 4,
}
