using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Sockets;

/// <summary><c>GET /ws</c>: values as they change, and writes, over a WebSocket. Its user comes with the handshake or
/// with the first message. Thread-safe.</summary>
internal sealed class LiveEndpoint(SocketBook book, LiveParts parts)
{
    /// <summary>CONNECT is how HTTP/2 asks for a WebSocket.</summary>
    public IEnumerable<RestRoute> Routes =>
        [new("GET", "/ws", RunAsync) { Operations = [SocketsApi.Live] }, new("CONNECT", "/ws", RunAsync)];

    private async Task RunAsync(HttpContext context)
    {
        if (!context.WebSockets.IsWebSocketRequest)
        {
            await SocketBook.AskForUpgradeAsync(context).ConfigureAwait(false);
            return;
        }

        if (await SocketLogin.IsRefusedAsync(context).ConfigureAwait(false))
            return;
        var protocol = context.WebSockets.WebSocketRequestedProtocols.Contains(SocketProtocols.Live)
            ? SocketProtocols.Live
            : null;
        await book.RunAsync(
            context, protocol, LiveAnswers.Heartbeat,
            connection => new LiveConversation(context, connection, parts).RunAsync()).ConfigureAwait(false);
    }
}
