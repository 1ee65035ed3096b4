using Microsoft.Extensions.Logging;

namespace Gateway.Server;

public sealed partial class GatewayServer
{
    [LoggerMessage(EventId = 3001, Level = LogLevel.Error, Message = "A deadline's handler failed")]
    private static partial void LogDueFailed(ILogger logger, Exception exception);
}
