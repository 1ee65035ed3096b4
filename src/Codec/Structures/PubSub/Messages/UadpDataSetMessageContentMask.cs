namespace Gateway.Codec.Structures;

[Flags]
public enum UadpDataSetMessageContentMask : uint
{
    None = 0,
    Timestamp = 1,
    PicoSeconds = 2,
    Status = 4,
    MajorVersion = 8,
    MinorVersion = 0x10,
    SequenceNumber = 0x20,
}
