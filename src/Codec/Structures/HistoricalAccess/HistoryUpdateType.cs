namespace Gateway.Codec.Structures;

public enum HistoryUpdateType
{
    Insert = 1,
    Replace = 2,
    Update = 3,
    Delete = 4,
}
