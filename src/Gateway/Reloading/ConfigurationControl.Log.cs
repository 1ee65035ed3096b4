namespace Gateway.Host.Reloading;

internal sealed partial class ConfigurationControl
{
    [LoggerMessage(
        EventId = 5501,
        Level = LogLevel.Information,
        Message = "The configuration was read again ({By}): {Changed} changes are in force, {Waiting} need a restart")]
    private partial void LogApplied(string by, int changed, int waiting);

    [LoggerMessage(
        EventId = 5502,
        Level = LogLevel.Error,
        Message = "The configuration that was read again ({By}) is wrong in {Count} places, and nothing of it is taken "
            + "over: the old one stays")]
    private partial void LogRejected(string by, int count);

    [LoggerMessage(
        EventId = 5503, Level = LogLevel.Error, Message = "Wrong in the new configuration: {Key}: {Problem}")]
    private partial void LogError(string key, string problem);

    [LoggerMessage(EventId = 5504, Level = LogLevel.Information, Message = "Changed: {Key} was {From}, is {To}")]
    private partial void LogChanged(string key, string from, string to);

    [LoggerMessage(
        EventId = 5505,
        Level = LogLevel.Warning, Message = "Changed, but needs a restart: {Key} stays as it is until the next start")]
    private partial void LogNeedsRestart(string key);

    [LoggerMessage(
        EventId = 5506,
        Level = LogLevel.Error,
        Message = "The configuration is right, but a part could not be taken over and stays as it was: {Problem}")]
    private partial void LogNotTakenOver(string problem);

    [LoggerMessage(
        EventId = 5507,
        Level = LogLevel.Error,
        Message = "A fault of ours: a part of the gateway could not take over its configuration. The others did. A "
            + "restart takes over all of it")]
    private partial void LogPartFailed(Exception exception);
}
