namespace Gateway.Host.Hosting;

internal sealed partial class KnownCertificatesFile
{
    [LoggerMessage(EventId = 8040, Level = LogLevel.Warning,
        Message = "{Path} has {Lines} lines that say nothing: they are left out")]
    private partial void LogDamaged(string path, int lines);

    [LoggerMessage(EventId = 8041, Level = LogLevel.Warning,
        Message = "{Path} cannot be read: every client is a stranger to admission at first. {Why}")]
    private partial void LogNotRead(string path, string why);

    [LoggerMessage(EventId = 8042, Level = LogLevel.Warning, Message = "{Path} cannot be written, tried again. {Why}")]
    private partial void LogNotSaved(string path, string why);
}
