namespace Gateway.Codec.Structures;

[Flags]
public enum AccessLevelExType : uint
{
    None = 0,
    CurrentRead = 1,
    CurrentWrite = 2,
    HistoryRead = 4,
    HistoryWrite = 8,
    SemanticChange = 0x10,
    StatusWrite = 0x20,
    TimestampWrite = 0x40,
    NonatomicRead = 0x100,
    NonatomicWrite = 0x200,
    WriteFullArrayOnly = 0x400,
    NoSubDataTypes = 0x800,
    NonVolatile = 0x1000,
    Constant = 0x2000,
}
