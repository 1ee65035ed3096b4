namespace Gateway.Codec.Structures;

public enum TimestampsToReturn
{
    Source = 0,
    Server = 1,
    Both = 2,
    Neither = 3,
    Invalid = 4,
}
