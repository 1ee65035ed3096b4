namespace Gateway.Codec.Structures;

[Flags]
public enum DataSetFieldContentMask : uint
{
    None = 0,
    StatusCode = 1,
    SourceTimestamp = 2,
    ServerTimestamp = 4,
    SourcePicoSeconds = 8,
    ServerPicoSeconds = 0x10,
    RawData = 0x20,
}
