namespace Gateway.Codec.Structures;

[Flags]
public enum LogRecordMask : uint
{
    None = 0,
    EventType = 1,
    SourceNode = 2,
    SourceName = 4,
    TraceContext = 8,
    AdditionalData = 16,
}
