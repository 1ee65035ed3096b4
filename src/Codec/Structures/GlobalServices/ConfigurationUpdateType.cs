namespace Gateway.Codec.Structures;

public enum ConfigurationUpdateType
{
    Insert = 1,
    Replace = 2,
    InsertOrReplace = 3,
    Delete = 4,
}
