using System.Net;
using Gateway.Admission;
using Gateway.Admission.Door;
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
    SocketBook book, AdmissionControl admission, UaTcpConnectionHandler conversations, ServiceCalls calls,
    RestLimits limits, TimeProvider time)
{
    /// <summary>CONNECT is how HTTP/2 asks for a WebSocket.</summary>
    public IEnumerable<RestRoute> Routes =>
        [new("GET", "", RunAsync) { Operations = [SocketsApi.OpcUa] }, new("CONNECT", "", RunAsync)];

    private Task RunAsync(HttpContext context)
    {
        if (!context.WebSockets.IsWebSocketRequest)
            return SocketBook.AskForUpgradeAsync(context);

        return ProtocolOf(context.WebSockets.WebSocketRequestedProtocols) switch
        {
            WebSocketConnection.SubProtocol => EnterAsync(context),
            null => Problem.WriteAsync(
                context, StatusCodes.BadNotSupported,
                "expected one of the sub-protocols opcua+uacp, opcua+openapi and opcua+uajson"),
            { } protocol => ServeAsync(context, protocol),
        };
    }

    /// <summary>The client's first choice that is known here; a name with a token in it where there is no other.
    /// </summary>
    private static string? ProtocolOf(IList<string> names) => names.FirstOrDefault(
        static one => one is WebSocketConnection.SubProtocol or SocketProtocols.UaJson or SocketProtocols.OpenApi) ??
        names.FirstOrDefault(SocketProtocols.IsOpenApi);

    /// <summary>Its place is one of all WebSockets. Admission, deadlines and limits are those of UA-TCP.</summary>
    private async Task EnterAsync(HttpContext context)
    {
        if (!await book.TryEnterAsync(context).ConfigureAwait(false))
            return;
        // Nobody has logged in yet: until then its connection makes room for others. Null behind a test's server.
        using var yielding = context.Features.Get<HttpPlace>() is { } place
            ? new YieldingRequest(admission.Http, place)
            : null;
        try
        {
            await ConverseAsync(context, yielding).ConfigureAwait(false);
        }
        finally
        {
            book.Leave(context);
        }
    }

    private async Task ConverseAsync(HttpContext context, YieldingRequest? yielding)
    {
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
        if (yielding is not null)
            connection.Features.Set(yielding);
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
                context, connection, calls, book, admission.Http, limits, time, SocketProtocols.IsOpenApi(protocol));
            await conversation.RunAsync().ConfigureAwait(false);
        }).ConfigureAwait(false);
    }

    private static IPEndPoint? EndPointOf(IPAddress? address, int port) => address is null
        ? null
        : new IPEndPoint(address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address, port);
}
