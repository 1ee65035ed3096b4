using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(15597, 15682)]
public sealed partial class DataSetWriterDataType
{
    public string? Name { get; init; }

    public bool Enabled { get; init; }

    public ushort DataSetWriterId { get; init; }

    public DataSetFieldContentMask DataSetFieldContentMask { get; init; }

    public uint KeyFrameCount { get; init; }

    public string? DataSetName { get; init; }

    public KeyValuePair[]? DataSetWriterProperties { get; init; }

    [AllowSubtypes(typeof(DataSetWriterTransportDataType))]
    public ExtensionObject TransportSettings { get; init; }

    [AllowSubtypes(typeof(DataSetWriterMessageDataType))]
    public ExtensionObject MessageSettings { get; init; }
}
