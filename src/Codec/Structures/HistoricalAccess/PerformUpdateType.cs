namespace Gateway.Codec.Structures;

public enum PerformUpdateType
{
    Insert = 1,
    Replace = 2,
    Update = 3,
    Remove = 4,
}
