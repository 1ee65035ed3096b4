using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(15578, 15677)]
public sealed partial class PublishedDataSetDataType
{
    public string? Name { get; init; }

    public string?[]? DataSetFolder { get; init; }

    public DataSetMetaDataType DataSetMetaData { get; init; } = new();

    public KeyValuePair[]? ExtensionFields { get; init; }

    [AllowSubtypes(typeof(PublishedDataSetSourceDataType))]
    public ExtensionObject DataSetSource { get; init; }
}
