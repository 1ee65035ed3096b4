namespace Gateway.Codec.Structures;

[Structure(23602, 23854)]
public sealed partial class PubSubConfiguration2DataType : PubSubConfigurationDataType
{
    public StandaloneSubscribedDataSetDataType[]? SubscribedDataSets { get; init; }

    public DataSetMetaDataType[]? DataSetClasses { get; init; }

    public EndpointDescription[]? DefaultSecurityKeyServices { get; init; }

    public SecurityGroupDataType[]? SecurityGroups { get; init; }

    public PubSubKeyPushTargetDataType[]? PubSubKeyPushTargets { get; init; }

    public uint ConfigurationVersion { get; init; }

    public KeyValuePair[]? ConfigurationProperties { get; init; }
}
