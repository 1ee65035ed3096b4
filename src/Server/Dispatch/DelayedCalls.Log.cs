using Microsoft.Extensions.Logging;

namespace Gateway.Server.Dispatch;

internal sealed partial class DelayedCalls
{
    [LoggerMessage(EventId = 3002, Level = LogLevel.Error, Message = "A request that waited for a source failed")]
    private partial void LogWorkFailed(Exception exception);
}
