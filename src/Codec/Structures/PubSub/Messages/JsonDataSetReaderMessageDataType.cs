namespace Gateway.Codec.Structures;

[Structure(15665, 15725)]
public sealed partial class JsonDataSetReaderMessageDataType : DataSetReaderMessageDataType
{
    public JsonNetworkMessageContentMask NetworkMessageContentMask { get; init; }

    public JsonDataSetMessageContentMask DataSetMessageContentMask { get; init; }
}
