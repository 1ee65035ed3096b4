namespace Gateway.Codec.Structures;

[Structure(25269, 25529)]
public sealed partial class PublishedDataSetCustomSourceDataType : PublishedDataSetSourceDataType
{
    public bool CyclicDataSet { get; init; }
}
