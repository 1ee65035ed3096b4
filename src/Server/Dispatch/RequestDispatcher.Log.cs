using Microsoft.Extensions.Logging;

namespace Gateway.Server.Dispatch;

internal sealed partial class RequestDispatcher
{
    [LoggerMessage(EventId = 3003, Level = LogLevel.Error, Message = "The handler of {Service} failed")]
    private partial void LogHandlerFailed(Exception exception, string service);
}
