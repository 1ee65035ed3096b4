namespace Gateway.Codec.Structures;

[Structure(15657, 15719)]
public sealed partial class JsonWriterGroupMessageDataType : WriterGroupMessageDataType
{
    public JsonNetworkMessageContentMask NetworkMessageContentMask { get; init; }
}
