
namespace Gateway.Host.Hosting;

internal sealed partial class GatewayLifetime
{
    [LoggerMessage(
        Level = LogLevel.Warning,
        Message = "DEMO MODE: security policy None is offered, every client's certificate is accepted, and anonymous "
            + "users may write and call. Never on a plant's network: start without --demo")]
    private partial void LogDemo();

    [LoggerMessage(
        Level = LogLevel.Warning,
        Message = "Pki:AutoTrust is on: every client's certificate is accepted, whoever made it")]
    private partial void LogAutoTrust();

    [LoggerMessage(
        Level = LogLevel.Warning,
        Message = "Limits:MaxPublishRequestsPerSession ({Requests}) is not more than Limits:MaxSubscriptionsPerSession "
            + "({Subscriptions}): a session with that many subscriptions waits for some of their messages (Part 4 "
            + "§5.14.5). Raise the first or lower the second")]
    private partial void LogFewPublishRequests(int requests, int subscriptions);

    [LoggerMessage(
        Level = LogLevel.Information, Message = "Loaded {File}: {Nodes} nodes, {Warnings} references left out")]
    private partial void LogNodeSet(string file, int nodes, int warnings);

    [LoggerMessage(
        Level = LogLevel.Information,
        Message = "Shutting down: {Sessions} sessions are told and closed in {Seconds} s")]
    private partial void LogShutdown(int sessions, double seconds);

    [LoggerMessage(Level = LogLevel.Warning, Message = "The grace period ends: sessions are closed at once")]
    private partial void LogHurry();

    [LoggerMessage(Level = LogLevel.Information, Message = "Stopped")]
    private partial void LogStopped();

    [LoggerMessage(
        Level = LogLevel.Warning,
        Message = "{Count} channels were closed because the trust list changed and their certificate no longer passes")]
    private partial void LogRecheck(int count);

    [LoggerMessage(
        Level = LogLevel.Warning,
        Message = "Limits:MaxConnections ({Connections}) should be above Limits:MaxSessions ({Sessions}): the last " +
            "sessions cannot be reached by a new connection")]
    private partial void LogFewConnections(int connections, int sessions);
}
