using System.Net;
using Microsoft.Extensions.Logging;

namespace Gateway.Rest.Sockets;

internal sealed partial class SocketBook
{
    [LoggerMessage(EventId = 4010, Level = LogLevel.Error, Message = "Looking after WebSockets failed")]
    private partial void LogSweepFailed(Exception error);

    [LoggerMessage(EventId = 4011, Level = LogLevel.Error, Message = "Serving a WebSocket failed")]
    private partial void LogFailed(Exception error);

    [LoggerMessage(EventId = 4012, Level = LogLevel.Debug, Message = "A WebSocket of {Address} begins")]
    private partial void LogOpened(IPAddress address);

    [LoggerMessage(EventId = 4013, Level = LogLevel.Debug, Message = "A WebSocket of {Address} has ended: {End}")]
    private partial void LogEnded(IPAddress address, SocketEnd end);
}
