using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using Gateway.Codec.Types;
using Gateway.Transport.Profiles;

namespace Gateway.Transport.Conversation;

/// <summary>The client's side of <c>opc.wss://</c> and <c>opc.ws://</c>. The server's certificate for TLS is checked as
/// the system checks any; the SecureChannel has its own.</summary>
internal static class WebSocketConnector
{
    /// <summary>Errors: <see cref="ChannelConnectException"/>, OperationCanceledException.</summary>
    /// <param name="profile">Of the URL.</param>
    /// <param name="options">Where to.</param>
    /// <param name="connect">A connected socket.</param>
    /// <param name="time">Of the connection.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    public static async ValueTask<WebSocketConnection> ConnectAsync(
        TransportProfile profile, ClientChannelOptions options,
        Func<CancellationToken, ValueTask<Socket>> connect, TimeProvider time, CancellationToken cancellationToken)
    {
        EndPoint? remote = null;
        using var handler = new SocketsHttpHandler
        {
            UseProxy = false,
            ConnectCallback = async (_, cancellation) =>
            {
                var tcp = await connect(cancellation).ConfigureAwait(false);
                remote = tcp.RemoteEndPoint;
                return new NetworkStream(tcp, ownsSocket: true);
            },
        };
        if (options.TlsCertificateCheck is { } check)
            handler.SslOptions.RemoteCertificateValidationCallback = check;
        using var invoker = new HttpMessageInvoker(handler);
        var socket = new ClientWebSocket();
        try
        {
            socket.Options.AddSubProtocol(WebSocketConnection.SubProtocol);
            await socket.ConnectAsync(HttpUrlOf(profile, options), invoker, cancellationToken).ConfigureAwait(false);
            if (socket.SubProtocol != WebSocketConnection.SubProtocol)
                throw new WebSocketException($"The server does not speak {WebSocketConnection.SubProtocol}.");
        }
        catch (WebSocketException e)
        {
            socket.Dispose();
            throw (e.InnerException as HttpRequestException)?.InnerException as ChannelConnectException ??
                new ChannelConnectException(StatusCodes.BadConnectionRejected, e.Message, e);
        }
        catch
        {
            socket.Dispose();
            throw;
        }

        return new WebSocketConnection(socket, profile, time, cut: null, CancellationToken.None)
        {
            RemoteEndPoint = remote,
        };
    }

    private static Uri HttpUrlOf(TransportProfile profile, ClientChannelOptions options)
    {
        var url = new Uri(options.EndpointUrl);
        return new UriBuilder(profile == TransportProfiles.WebSocket ? "ws" : "wss", url.Host, profile.PortOf(url))
        {
            Path = url.AbsolutePath,
        }.Uri;
    }
}
