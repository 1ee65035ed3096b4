namespace Gateway.Codec.Structures;

[Structure(19745, 19753)]
public sealed partial class LogRecordsDataType
{
    public LogRecord[]? LogRecordArray { get; init; }
}
