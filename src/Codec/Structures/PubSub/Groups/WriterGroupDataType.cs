using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(15480, 21150)]
public sealed partial class WriterGroupDataType : PubSubGroupDataType
{
    public ushort WriterGroupId { get; init; }

    public double PublishingInterval { get; init; }

    public double KeepAliveTime { get; init; }

    public byte Priority { get; init; }

    public string?[]? LocaleIds { get; init; }

    public string? HeaderLayoutUri { get; init; }

    [AllowSubtypes(typeof(WriterGroupTransportDataType))]
    public ExtensionObject TransportSettings { get; init; }

    [AllowSubtypes(typeof(WriterGroupMessageDataType))]
    public ExtensionObject MessageSettings { get; init; }

    public DataSetWriterDataType[]? DataSetWriters { get; init; }
}
