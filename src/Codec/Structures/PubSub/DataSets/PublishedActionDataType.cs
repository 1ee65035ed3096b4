namespace Gateway.Codec.Structures;

[Structure(18594, 18599)]
public partial class PublishedActionDataType : PublishedDataSetSourceDataType
{
    public DataSetMetaDataType RequestDataSetMetaData { get; init; } = new();

    public ActionTargetDataType[]? ActionTargets { get; init; }
}
