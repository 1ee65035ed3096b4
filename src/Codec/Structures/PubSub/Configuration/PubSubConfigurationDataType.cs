namespace Gateway.Codec.Structures;

[Structure(15530, 21154)]
public partial class PubSubConfigurationDataType
{
    public PublishedDataSetDataType[]? PublishedDataSets { get; init; }

    public PubSubConnectionDataType[]? Connections { get; init; }

    public bool Enabled { get; init; }
}
