namespace Gateway.Codec.Structures;

[Structure(15664, 15724)]
public sealed partial class JsonDataSetWriterMessageDataType : DataSetWriterMessageDataType
{
    public JsonDataSetMessageContentMask DataSetMessageContentMask { get; init; }
}
