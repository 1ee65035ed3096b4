using System.Net;
using System.Net.Sockets;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Profiles;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Transport.Conversation;

/// <summary>The client role: connects, says HEL, opens the channel. The channel renews its token at three quarters of
/// its lifetime by itself.</summary>
public static class ClientChannel
{
    private const int MaxRefusalBytes = 512;
    private const int MaxLastWords = 8192;

    private static readonly Lazy<SocketConnectionContextFactory> Sockets = new(() => new SocketConnectionContextFactory(
        new SocketConnectionFactoryOptions { UnsafePreferInlineScheduling = true }, NullLogger.Instance));

    /// <summary>Errors: <see cref="ChannelConnectException"/> with the status that the peer or the network gave;
    /// <see cref="OperationCanceledException"/>.</summary>
    /// <param name="context">Limits, counters and lanes of the connection.</param>
    /// <param name="options">Where to and how.</param>
    /// <param name="handler">OnOpened has been called when this returns.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    public static async ValueTask<SecureChannel> ConnectAsync(
        Hosting.TransportContext context, ClientChannelOptions options, IChannelHandler handler,
        CancellationToken cancellationToken = default)
    {
        var profile = Check(options);
        var place = context.Outgoing.TryTake() ?? throw new ChannelConnectException(
            StatusCodes.BadTcpNotEnoughResources,
            "the descriptors that this process keeps for servers it connects to are all in use");
        using var timeout = new CancellationTokenSource(options.ConnectTimeout, context.Time);
        using var linked = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        try
        {
            var isTcp = profile == TransportProfiles.UaTcp;
            var transport = isTcp
                ? await ReachAsync(profile, context, options, linked.Token).ConfigureAwait(false)
                : await WebSocketConnector.ConnectAsync(
                    profile, options, token => ConnectSocketAsync(profile, options, token), context.Time,
                    linked.Token).ConfigureAwait(false);
            // From here on the place goes with the conversation.
            (var taken, place) = (place, null);
            return await OpenAsync(transport, context, options, handler, saidHello: isTcp, taken, linked.Token)
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw new ChannelConnectException(StatusCodes.BadTimeout, "The server did not answer in time.");
        }
        finally
        {
            place?.Dispose();
        }
    }

    private static async ValueTask<ConnectionContext> ReachAsync(
        TransportProfile profile, Hosting.TransportContext context, ClientChannelOptions options,
        CancellationToken cancellationToken)
    {
        var socket = options.Dial is { } dial
            ? await dial(cancellationToken).ConfigureAwait(false)
            : await ConnectSocketAsync(profile, options, cancellationToken).ConfigureAwait(false);
        await GreetAsync(socket, ClientRole.Hello(context, options), cancellationToken).ConfigureAwait(false);
        ThrowIfRefused(socket);
        return ToTransport(socket);
    }

    /// <summary>The same over an existing connection: a test's pipe, a reverse connection.</summary>
    internal static ValueTask<SecureChannel> OpenAsync(
        ConnectionContext transport,
        Hosting.TransportContext context,
        ClientChannelOptions options,
        IChannelHandler handler,
        CancellationToken cancellationToken) =>
        OpenAsync(transport, context, options, handler, saidHello: false, place: null, cancellationToken);

    private static async ValueTask<SecureChannel> OpenAsync(
        ConnectionContext transport,
        Hosting.TransportContext context,
        ClientChannelOptions options,
        IChannelHandler handler,
        bool saidHello,
        IDisposable? place,
        CancellationToken cancellationToken)
    {
        var connection = new ClientRole(context, options, transport, handler, saidHello);
        _ = RunAsync(connection, transport, place);
        using var registration = cancellationToken.UnsafeRegister(
            static self => ((ClientRole)self!).Cancel(), connection);
        try
        {
            return await connection.Opened.ConfigureAwait(false);
        }
        catch (ChannelConnectException) when (cancellationToken.IsCancellationRequested)
        {
            throw new OperationCanceledException(cancellationToken);
        }
    }

    /// <summary>Says HEL and waits for the first byte of an answer, with nothing but the socket: a busy server may let
    /// a client wait at its door for seconds, and a driver has thousands there. The conversation reports
    /// errors.</summary>
    private static async ValueTask GreetAsync(
        Socket socket, ReadOnlyMemory<byte> hello, CancellationToken cancellationToken)
    {
        try
        {
            await socket.SendAsync(hello, cancellationToken).ConfigureAwait(false);
            await socket.ReceiveAsync(Memory<byte>.Empty, cancellationToken).ConfigureAwait(false);
        }
        catch (SocketException)
        {
            // Refused before HEL was there, perhaps with an ERR that can still be read.
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>An ERR that is all there: nothing is made for a connection that is over.</summary>
    private static void ThrowIfRefused(Socket socket)
    {
        Span<byte> words = stackalloc byte[MaxRefusalBytes];
        var count = socket.Receive(words, SocketFlags.Peek, out var error);
        if (error != SocketError.Success || ReadRefusal(words[..Math.Max(0, count)], null) is not { } refusal)
            return;
        socket.Dispose();
        throw refusal;
    }

    private static ConnectionContext ToTransport(Socket socket)
    {
        try
        {
            var transport = Sockets.Value.Create(socket);
            // A dual-stack socket names an IPv4 peer in IPv6: the same peer in one form, whichever end connected.
            if (transport.RemoteEndPoint is IPEndPoint { Address.IsIPv4MappedToIPv6: true } remote)
                transport.RemoteEndPoint = new IPEndPoint(remote.Address.MapToIPv4(), remote.Port);
            return transport;
        }
        catch (SocketException reset)
        {
            using (socket)
                throw LastWords(socket, reset);
        }
    }

    /// <summary>A server that refuses before it has read HEL resets the connection; its ERR can be read still.
    /// </summary>
    private static ChannelConnectException LastWords(Socket socket, SocketException reset)
    {
        var buffer = new byte[MaxLastWords];
        var count = socket.Receive(buffer, SocketFlags.None, out _);
        return ReadRefusal(buffer.AsSpan(0, Math.Max(0, count)), reset) ??
            new ChannelConnectException(StatusCodes.BadConnectionClosed, reset.Message, reset);
    }

    /// <summary>Null: no ERR, or not all of it.</summary>
    private static ChannelConnectException? ReadRefusal(ReadOnlySpan<byte> words, Exception? inner)
    {
        if (words.Length < MessageLayout.MessageHeaderSize)
            return null;
        var header = FrameReader.Parse(words);
        if (header.Kind != MessageKind.Error || header.SizeBytes < MessageLayout.MessageHeaderSize ||
            header.SizeBytes > words.Length)
            return null;
        var reader = new UaBinaryReader(words[MessageLayout.MessageHeaderSize..(int)header.SizeBytes]);
        var error = ErrorMessage.Read(ref reader);
        return new ChannelConnectException(
            error.Error.IsBad ? error.Error : StatusCodes.BadConnectionClosed,
            $"the peer said {error.Error}: {error.Reason}",
            inner);
    }

    private static async Task RunAsync(ClientRole connection, ConnectionContext transport, IDisposable? place)
    {
        using (place)
        {
            await connection.RunAsync().ConfigureAwait(false);
            await transport.DisposeAsync().ConfigureAwait(false);
        }
    }

    private static async ValueTask<Socket> ConnectSocketAsync(
        TransportProfile profile, ClientChannelOptions options, CancellationToken cancellationToken)
    {
        var uri = new Uri(options.EndpointUrl);
        var port = profile.PortOf(uri);
        var socket = options.LocalAddress is { } local
            ? new Socket(local.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
            : new Socket(SocketType.Stream, ProtocolType.Tcp);
        socket.NoDelay = true;
        try
        {
            if (options.LocalAddress is not null)
                socket.Bind(new IPEndPoint(options.LocalAddress, 0));
            if (IPAddress.TryParse(uri.DnsSafeHost, out var address))
                await socket.ConnectAsync(new IPEndPoint(address, port), cancellationToken).ConfigureAwait(false);
            else
                await socket.ConnectAsync(uri.DnsSafeHost, port, cancellationToken).ConfigureAwait(false);
            return socket;
        }
        catch (SocketException e)
        {
            socket.Dispose();
            throw new ChannelConnectException(StatusCodes.BadConnectionRejected, e.Message, e);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static TransportProfile Check(ClientChannelOptions options)
    {
        if (!TransportProfiles.TryParse(options.EndpointUrl, out var profile, out _) || !profile.IsOfClient)
            throw new ChannelConnectException(
                StatusCodes.BadTcpEndpointUrlInvalid,
                $"The endpoint URL is no {TransportProfiles.ClientUrlForms} URL.");
        if (options.Policy.IsNone != (options.SecurityMode == MessageSecurityMode.None) ||
            options.SecurityMode == MessageSecurityMode.Invalid)
            throw new ChannelConnectException(
                StatusCodes.BadSecurityModeRejected, "The security mode does not fit the security policy.");
        if (!options.Policy.IsNone && (options.Certificate is null || options.ServerCertificate.Length == 0))
            throw new ChannelConnectException(
                StatusCodes.BadSecurityChecksFailed, "The policy needs both sides' certificates.");
        return profile;
    }
}
