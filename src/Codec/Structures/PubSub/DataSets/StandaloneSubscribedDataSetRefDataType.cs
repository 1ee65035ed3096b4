namespace Gateway.Codec.Structures;

[Structure(23599, 23851)]
public sealed partial class StandaloneSubscribedDataSetRefDataType : SubscribedDataSetDataType
{
    public string? DataSetName { get; init; }
}
