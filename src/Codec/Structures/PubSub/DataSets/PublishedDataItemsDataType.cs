namespace Gateway.Codec.Structures;

[Structure(15581, 15679)]
public sealed partial class PublishedDataItemsDataType : PublishedDataSetSourceDataType
{
    public PublishedVariableDataType[]? PublishedData { get; init; }
}
