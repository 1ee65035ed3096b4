namespace Gateway.Host.Hosting;

internal sealed partial class GatewayLifetime
{
    [LoggerMessage(
        Level = LogLevel.Information,
        Message = "Shutting down: {Sessions} sessions are told and closed in {Seconds} s")]
    private partial void LogShutdown(int sessions, double seconds);

    [LoggerMessage(Level = LogLevel.Warning, Message = "The grace period ends: sessions are closed at once")]
    private partial void LogHurry();

    [LoggerMessage(Level = LogLevel.Information, Message = "Stopped")]
    private partial void LogStopped();
}
