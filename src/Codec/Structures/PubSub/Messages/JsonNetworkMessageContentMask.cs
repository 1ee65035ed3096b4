namespace Gateway.Codec.Structures;

[Flags]
public enum JsonNetworkMessageContentMask : uint
{
    None = 0,
    NetworkMessageHeader = 1,
    DataSetMessageHeader = 2,
    SingleDataSetMessage = 4,
    PublisherId = 8,
    DataSetClassId = 0x10,
    ReplyTo = 0x20,
    WriterGroupName = 0x40,
}
