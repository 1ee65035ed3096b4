using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(23600, 23852)]
public sealed partial class StandaloneSubscribedDataSetDataType : SubscribedDataSetDataType
{
    public string? Name { get; init; }

    public string?[]? DataSetFolder { get; init; }

    public DataSetMetaDataType DataSetMetaData { get; init; } = new();

    [AllowSubtypes(typeof(SubscribedDataSetDataType))]
    public ExtensionObject SubscribedDataSet { get; init; }
}
