using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(15520, 21153)]
public sealed partial class ReaderGroupDataType : PubSubGroupDataType
{
    [AllowSubtypes(typeof(ReaderGroupTransportDataType))]
    public ExtensionObject TransportSettings { get; init; }

    [AllowSubtypes(typeof(ReaderGroupMessageDataType))]
    public ExtensionObject MessageSettings { get; init; }

    public DataSetReaderDataType[]? DataSetReaders { get; init; }
}
