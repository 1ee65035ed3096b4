namespace Gateway.Codec.Structures;

public enum RedundancySupport
{
    None = 0,
    Cold = 1,
    Warm = 2,
    Hot = 3,
    Transparent = 4,
    HotAndMirrored = 5,
}
