using Microsoft.Extensions.Logging;

namespace Gateway.Rest.Access;

internal sealed partial class RestRequests
{
    [LoggerMessage(EventId = 4002, Level = LogLevel.Error, Message = "Answering an HTTP request failed")]
    private partial void LogFailed(Exception error);
}
