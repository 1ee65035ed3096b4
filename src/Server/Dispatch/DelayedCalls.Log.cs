using Microsoft.Extensions.Logging;

namespace Gateway.Server.Dispatch;

internal sealed partial class DelayedCalls
{
    [LoggerMessage(
        EventId = 3002, Level = LogLevel.Warning,
        Message = "A request was answered Bad_InternalError because its source failed: {Failure}")]
    private partial void LogSourceFailed(string failure);

    [LoggerMessage(EventId = 3014, Level = LogLevel.Debug, Message = "Where a source failed")]
    private partial void LogTrace(Exception exception);
}
