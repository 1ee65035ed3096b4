namespace Gateway.Codec.Structures;

[Structure(15652, 15717)]
public sealed partial class UadpDataSetWriterMessageDataType : DataSetWriterMessageDataType
{
    public UadpDataSetMessageContentMask DataSetMessageContentMask { get; init; }

    public ushort ConfiguredSize { get; init; }

    public ushort NetworkMessageNumber { get; init; }

    public ushort DataSetOffset { get; init; }
}
