using Microsoft.Extensions.Logging;

namespace Gateway.Server.Dispatch;

internal sealed partial class TimingWheel
{
    [LoggerMessage(EventId = 3001, Level = LogLevel.Error, Message = "A deadline's handler failed")]
    private partial void LogDueFailed(Exception exception);
}
