namespace Gateway.Codec.Structures;

[Flags]
public enum JsonDataSetMessageContentMask : uint
{
    None = 0,
    DataSetWriterId = 1,
    MetaDataVersion = 2,
    SequenceNumber = 4,
    Timestamp = 8,
    Status = 0x10,
    MessageType = 0x20,
    DataSetWriterName = 0x40,
    FieldEncoding1 = 0x80,
    PublisherId = 0x100,
    WriterGroupName = 0x200,
    MinorVersion = 0x400,
    FieldEncoding2 = 0x800,
}
