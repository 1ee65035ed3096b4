namespace Gateway.Host.Hosting;

internal sealed partial class GatewayLifetime
{
    [LoggerMessage(
        EventId = 8020, Level = LogLevel.Information,
        Message = "Shutting down: {Sessions} sessions are told and closed in {Seconds} s")]
    private partial void LogShutdown(int sessions, double seconds);

    [LoggerMessage(
        EventId = 8021, Level = LogLevel.Warning,
        Message = "The grace period ends: sessions are closed at once")]
    private partial void LogHurry();

    [LoggerMessage(EventId = 8022, Level = LogLevel.Information, Message = "Stopped")]
    private partial void LogStopped();
}
