namespace Gateway.Codec.Structures;

[Structure(15434, 16538)]
public partial class BaseConfigurationDataType
{
    public uint ConfigurationVersion { get; init; }

    public KeyValuePair[]? ConfigurationProperties { get; init; }
}
