namespace Gateway.Codec.Structures;

[Flags]
public enum UadpNetworkMessageContentMask : uint
{
    None = 0,
    PublisherId = 1,
    GroupHeader = 2,
    WriterGroupId = 4,
    GroupVersion = 8,
    NetworkMessageNumber = 0x10,
    SequenceNumber = 0x20,
    PayloadHeader = 0x40,
    Timestamp = 0x80,
    PicoSeconds = 0x100,
    DataSetClassId = 0x200,
    PromotedFields = 0x400,
}
