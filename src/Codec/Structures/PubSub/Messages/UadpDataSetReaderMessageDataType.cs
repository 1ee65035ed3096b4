namespace Gateway.Codec.Structures;

[Structure(15653, 15718)]
public sealed partial class UadpDataSetReaderMessageDataType : DataSetReaderMessageDataType
{
    public uint GroupVersion { get; init; }

    public ushort NetworkMessageNumber { get; init; }

    public ushort DataSetOffset { get; init; }

    public Guid DataSetClassId { get; init; }

    public UadpNetworkMessageContentMask NetworkMessageContentMask { get; init; }

    public UadpDataSetMessageContentMask DataSetMessageContentMask { get; init; }

    public double PublishingInterval { get; init; }

    public double ReceiveOffset { get; init; }

    public double ProcessingOffset { get; init; }
}
