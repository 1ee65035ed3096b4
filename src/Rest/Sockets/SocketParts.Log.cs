using System.Net;
using System.Net.WebSockets;
using Microsoft.Extensions.Logging;

namespace Gateway.Rest.Sockets;

internal sealed partial class SocketParts
{
    [LoggerMessage(
        EventId = 4014, Level = LogLevel.Trace, Message = "A WebSocket of {Address} sent {Bytes} bytes of {Type}")]
    public partial void LogReceived(IPAddress address, int bytes, WebSocketMessageType type);
}
