namespace Gateway.Codec.Structures;

[Structure(15435, 16539)]
public partial class BaseConfigurationRecordDataType
{
    public string? Name { get; init; }

    public KeyValuePair[]? RecordProperties { get; init; }
}
