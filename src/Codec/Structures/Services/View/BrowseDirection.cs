namespace Gateway.Codec.Structures;

public enum BrowseDirection
{
    Forward = 0,
    Inverse = 1,
    Both = 2,
    Invalid = 3,
}
