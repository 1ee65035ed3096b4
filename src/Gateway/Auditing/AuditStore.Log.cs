namespace Gateway.Host.Auditing;

internal sealed partial class AuditStore
{
    [LoggerMessage(7101, LogLevel.Error,
        "The audit trail in {Folder} cannot be written; lines wait in memory, and beyond Audit:MaxQueueBytes they " +
        "are lost: {Reason}")]
    private partial void LogRefusesLines(string folder, string reason);

    [LoggerMessage(7102, LogLevel.Warning,
        "The audit trail in {Folder} is written again; {Lost} lines were lost since the start")]
    private partial void LogTakesLines(string folder, long lost);

    [LoggerMessage(7103, LogLevel.Error,
        "The audit trail in {Folder} is not as it was left: {Finding} {Value}. It goes on behind line {Number}; " +
        "gateway audit verify says what is broken")]
    private partial void LogFinding(string folder, string finding, long value, long number);
}
