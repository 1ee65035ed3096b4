using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(15623, 15703)]
public sealed partial class DataSetReaderDataType
{
    public string? Name { get; init; }

    public bool Enabled { get; init; }

    public Variant PublisherId { get; init; }

    public ushort WriterGroupId { get; init; }

    public ushort DataSetWriterId { get; init; }

    public DataSetMetaDataType DataSetMetaData { get; init; } = new();

    public DataSetFieldContentMask DataSetFieldContentMask { get; init; }

    public double MessageReceiveTimeout { get; init; }

    public uint KeyFrameCount { get; init; }

    public string? HeaderLayoutUri { get; init; }

    public MessageSecurityMode SecurityMode { get; init; }

    public string? SecurityGroupId { get; init; }

    public EndpointDescription[]? SecurityKeyServices { get; init; }

    public KeyValuePair[]? DataSetReaderProperties { get; init; }

    [AllowSubtypes(typeof(DataSetReaderTransportDataType))]
    public ExtensionObject TransportSettings { get; init; }

    [AllowSubtypes(typeof(DataSetReaderMessageDataType))]
    public ExtensionObject MessageSettings { get; init; }

    [AllowSubtypes(typeof(SubscribedDataSetDataType))]
    public ExtensionObject SubscribedDataSet { get; init; }
}
