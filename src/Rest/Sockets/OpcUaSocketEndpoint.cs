using System.Net;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Routing;
using Gateway.Rest.Services;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Profiles;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Sockets;

/// <summary>The WebSockets of the standard, on <c>/opcua</c> and <c>/</c>: its sub-protocol says what one carries. The
/// conversation of UA-TCP brings its own security and users; JSON needs the user of HTTP. Thread-safe. Source: Part 6
/// §7.5.</summary>
internal sealed class OpcUaSocketEndpoint(
    SocketBook book, WebOrigins origins, UaTcpConnectionHandler conversations, ServiceCalls calls,
    SocketCounters counters, TimeProvider time)
{
    private const int UpgradeRequired = 426;

    /// <summary>CONNECT is how HTTP/2 asks for a WebSocket.</summary>
    public IEnumerable<RestRoute> Routes =>
        [new("GET", "", RunAsync) { Operations = [SocketsApi.OpcUa] }, new("CONNECT", "", RunAsync)];

    private Task RunAsync(HttpContext context)
    {
        if (!context.WebSockets.IsWebSocketRequest)
        {
            context.Response.Headers.Upgrade = "websocket";
            return Problem.WriteAsync(
                context, UpgradeRequired, "This path takes WebSockets only", StatusCodes.BadNotSupported);
        }

        // The client's first choice that is known here.
        var protocol = context.WebSockets.WebSocketRequestedProtocols.FirstOrDefault(
            static one => one is WebSocketConnection.SubProtocol or SocketProtocols.UaJson or SocketProtocols.OpenApi);
        return protocol switch
        {
            WebSocketConnection.SubProtocol => ConverseAsync(context),
            null => Problem.WriteAsync(
                context, StatusCodes.BadNotSupported,
                "expected one of the sub-protocols opcua+uacp, opcua+openapi and opcua+uajson"),
            _ => ServeAsync(context, protocol),
        };
    }

    /// <summary>Admission, deadlines and limits are those of UA-TCP.</summary>
    private async Task ConverseAsync(HttpContext context)
    {
        if (!origins.IsAllowed(context.Request))
        {
            await SocketBook.RefuseOriginAsync(context).ConfigureAwait(false);
            return;
        }

        // The conversation has keep-alives of its own.
        var socket = await SocketBook.AcceptAsync(context, new WebSocketAcceptContext
        {
            SubProtocol = WebSocketConnection.SubProtocol,
            KeepAliveInterval = Timeout.InfiniteTimeSpan,
        }).ConfigureAwait(false);
        if (socket is null)
            return;
        var profile = context.Request.IsHttps ? TransportProfiles.SecureWebSocket : TransportProfiles.WebSocket;
        var connection = new WebSocketConnection(socket, profile, time, context.Abort, context.RequestAborted)
        {
            ConnectionId = context.Connection.Id,
            RemoteEndPoint = EndPointOf(context.Connection.RemoteIpAddress, context.Connection.RemotePort),
            LocalEndPoint = EndPointOf(context.Connection.LocalIpAddress, context.Connection.LocalPort),
        };
        if (context.Features.Get<FrameMeter>() is { } meter)
            meter.Ended = _ =>
            {
                context.Abort();
                return Task.CompletedTask;
            };
        try
        {
            await conversations.OnConnectedAsync(connection).ConfigureAwait(false);
        }
        finally
        {
            await connection.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task ServeAsync(HttpContext context, string protocol)
    {
        if (await SocketLogin.IsRefusedAsync(context).ConfigureAwait(false))
            return;
        if (context.Features.Get<UserIdentity>() is null)
        {
            await SocketLogin.AskAsync(context).ConfigureAwait(false);
            return;
        }

        await book.RunAsync(context, protocol, default, async connection =>
        {
            using var conversation = new ServiceConversation(
                context, connection, calls, counters, protocol == SocketProtocols.OpenApi);
            await conversation.RunAsync().ConfigureAwait(false);
        }).ConfigureAwait(false);
    }

    private static IPEndPoint? EndPointOf(IPAddress? address, int port) => address is null
        ? null
        : new IPEndPoint(address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address, port);
}
