namespace Gateway.Codec.Structures;

[Flags]
public enum AccessLevelType : byte
{
    None = 0,
    CurrentRead = 1,
    CurrentWrite = 2,
    HistoryRead = 4,
    HistoryWrite = 8,
    SemanticChange = 0x10,
    StatusWrite = 0x20,
    TimestampWrite = 0x40,
}
