namespace Gateway.Codec.Structures;

[Structure(15645, 15715)]
public sealed partial class UadpWriterGroupMessageDataType : WriterGroupMessageDataType
{
    public uint GroupVersion { get; init; }

    public DataSetOrderingType DataSetOrdering { get; init; }

    public UadpNetworkMessageContentMask NetworkMessageContentMask { get; init; }

    public double SamplingOffset { get; init; }

    public double[]? PublishingOffset { get; init; }
}
