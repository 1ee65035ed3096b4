using Microsoft.Extensions.Logging;

namespace Gateway.Server.Work;

internal sealed partial class WorkQueue
{
    [LoggerMessage(EventId = 3010, Level = LogLevel.Error, Message = "A request that went on in later turns failed")]
    private partial void LogWorkFailed(Exception exception);
}
