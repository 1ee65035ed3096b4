using Gateway.Admission.Lanes;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Hosting;
using Gateway.Transport.Profiles;
using Microsoft.AspNetCore.Connections;

namespace Gateway.Transport.Conversation;

/// <summary>The client's side of a connection: says HEL, opens the channel, renews its token.</summary>
internal sealed class ClientRole : IConnectionRole
{
    private readonly UaTcpConnection _connection;
    private readonly ClientChannelOptions _options;
    private readonly ClientOpening _opening;
    private readonly bool _saidHello;
    private readonly TaskCompletionSource<SecureChannel> _opened =
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    private int _renewing;

    /// <param name="context">The parts that the client's connections share.</param>
    /// <param name="options">Where to and how.</param>
    /// <param name="transport">Connected.</param>
    /// <param name="handler">Of the channel.</param>
    /// <param name="saidHello">HEL is on its way already.</param>
    public ClientRole(
        TransportContext context,
        ClientChannelOptions options,
        ConnectionContext transport,
        IChannelHandler handler,
        bool saidHello)
    {
        (_options, _saidHello) = (options, saidHello);
        _connection = new UaTcpConnection(context, transport, this, handler, StatusCodes.BadRequestTooLarge);
        _opening = new ClientOpening(context, options, _connection.Receiver, _connection.Sender);
    }

    /// <summary>Errors: <see cref="ChannelConnectException"/>.</summary>
    public Task<SecureChannel> Opened => _opened.Task;

    public MessageLimits MessageLimits =>
        new(Context.Limits.MaxMessageSizeBytes, Context.Limits.MaxChunkCount, MayBeSlow: true);

    private TransportContext Context => _connection.Context;

    private SecureChannel? Channel => _connection.Channel;

    private ConnectionDeadlines Deadlines => _connection.Deadlines;

    private ConnectionEnding Ending => _connection.Ending;

    private ChannelSender Sender => _connection.Sender;

    /// <summary>The whole message.</summary>
    public static byte[] Hello(TransportContext context, ClientChannelOptions options)
    {
        using var buffer = new PooledBuffer();
        var limits = context.Limits;
        var writer = FrameWriter.Begin(buffer);
        var sizes = new TransportSizes(
            (uint)limits.ReceiveBufferSizeBytes, (uint)limits.SendBufferSizeBytes,
            (uint)limits.MaxMessageSizeBytes, (uint)limits.MaxChunkCount);
        new HelloMessage(sizes, options.EndpointUrl).Write(ref writer);
        return FrameWriter.End(ref writer, buffer, MessageKind.Hello).ToArray();
    }

    public Task RunAsync() => _connection.RunAsync();

    public void Close()
    {
        using var body = new PooledBuffer(MessageLayout.Headroom);
        var request = new CloseSecureChannelRequest
        {
            RequestHeader = new RequestHeader { Timestamp = Context.Time.GetUtcNow().UtcDateTime },
        };
        var writer = new UaBinaryWriter(body);
        writer.WriteTypeId(CloseSecureChannelRequest.BinaryEncodingId);
        request.Encode(ref writer);
        writer.Complete();
        Sender.Send(body, _opening.NextRequestId(), MessageKind.CloseSecureChannel);
        Ending.End(StatusCodes.Good, ChannelCloseReason.LocalClosed, "closed by the client", null, wake: true);
    }

    public void Cancel() =>
        Ending.End(StatusCodes.BadTimeout, ChannelCloseReason.LocalClosed, "not opened in time", null, wake: true);

    public void SetActiveSession(bool active)
    {
    }

    /// <summary>A client's channel ends with its token or when it is closed; the token is renewed in time.</summary>
    public ChannelCloseReason? CheckDeadlines(long now)
    {
        if (Deadlines.Phase == ConnectionPhase.Open && _connection.Receiver.Tokens.Current is { } token &&
            token.IsRenewalDue(Context.Time, now) && Interlocked.Exchange(ref _renewing, 1) == 0)
            Request(SecurityTokenRequestType.Renew);
        return null;
    }

    public ValueTask StartAsync()
    {
        if (!_saidHello)
            Sender.SendRaw(Hello(Context, _options));
        return default;
    }

    public void CheckFrame(in FrameHeader header)
    {
        var belongs = header.Kind switch
        {
            MessageKind.Acknowledge => Deadlines.Phase == ConnectionPhase.Hello,
            MessageKind.OpenSecureChannel => Deadlines.Phase is ConnectionPhase.Opening or ConnectionPhase.Open,
            MessageKind.Message => Deadlines.Phase == ConnectionPhase.Open,
            _ => false,
        };
        if (!belongs)
            ConversationFault.MessageType("a message that does not belong here");
    }

    public void OnHello(ref UaBinaryReader reader)
    {
        reader.ReadUInt32();
        var sizes = TransportSizes.Read(ref reader);
        if (reader.Failed)
            ConversationFault.Malformed("an ACK that cannot be read");
        if (sizes.ReceiveBufferSize < TransportLimits.MinBufferSizeBytes)
            ConversationFault.BufferSize("an ACK with a buffer below 8192");
        var send = (int)Math.Min(sizes.ReceiveBufferSize, (uint)Context.Limits.SendBufferSizeBytes);
        Sender.SetSizes(new PeerSizes(send, sizes.MaxMessageSize, sizes.MaxChunkCount));
        Deadlines.Enter(ConnectionPhase.Opening);
        Request(SecurityTokenRequestType.Issue);
    }

    public async ValueTask OpenAsync(byte[] chunk)
    {
        if (_options.Policy.IsNone)
        {
            Complete(chunk);
            return;
        }

        var work = new LaneWork(() => Complete(chunk));
        if (!Context.PrivateKeys.TryRun(work, LaneClass.Live) || !await work.Done.ConfigureAwait(false))
            ConversationFault.TooBusy(0, ChannelCloseReason.TooBusy, "the private-key lane is full");
    }

    public void OnCloseRequested() =>
        ConversationFault.MessageType("a CLO from a server");

    public void Watch(IHangUpWatcher? watcher)
    {
    }

    public void OnWoken()
    {
    }

    /// <summary>Sets the exception where the opening has not handed out the channel yet.</summary>
    public bool OnFinished(ConnectionEnd end) => _opened.TrySetException(
        new ChannelConnectException(end.Status.IsBad ? end.Status : StatusCodes.BadConnectionClosed, end.Detail));

    /// <summary>From the loop or the deadline loop: the signing is for the lane.</summary>
    private void Request(SecurityTokenRequestType type)
    {
        if (_options.Policy.IsNone)
        {
            _opening.SendRequest(type);
            Sender.Flush();
            return;
        }

        if (!Context.PrivateKeys.TryRun(new LaneWork(() => SendRequest(type)), LaneClass.Live))
            Ending.End(
                StatusCodes.BadTcpServerTooBusy, ChannelCloseReason.TooBusy, "the private-key lane is full", null,
                wake: true);
    }

    private void SendRequest(SecurityTokenRequestType type)
    {
        try
        {
            _opening.SendRequest(type);
            Sender.Flush();
        }
        catch (SecureChannelException e)
        {
            Ending.End(e.Status, e.CloseReason, e.Message, null, wake: true);
        }
#pragma warning disable CA1031 // On the lane's thread: it ends this connection alone (R40).
        catch (Exception e)
#pragma warning restore CA1031
        {
            var remote = _connection.Transport.RemoteEndPoint;
            Ending.End(StatusCodes.BadTcpInternalError, ChannelCloseReason.InternalError, e.Message, null, wake: true);
            Context.Log.Bug(remote, e);
        }
    }

    private void Complete(byte[] chunk)
    {
        _opening.Complete(chunk, isFirst: Channel is null);
        Volatile.Write(ref _renewing, 0);
        if (Channel is not null)
        {
            Context.Counters.ChannelRenewed();
            return;
        }

        var channel = new SecureChannel(_connection)
        {
            Profile = _connection.Transport.Features.Get<TransportProfile>() ?? TransportProfiles.UaTcp,
            ChannelId = _connection.Receiver.ChannelId,
            Policy = _options.Policy,
            SecurityMode = _options.SecurityMode,
            PeerCertificate = _opening.ServerLeaf,
            PeerThumbprint = _opening.ServerThumbprint,
            OwnCertificate = _options.Policy.IsNone ? null : _options.Certificate,
            RemoteEndPoint = _connection.Transport.RemoteEndPoint,
            EndpointUrl = _options.EndpointUrl,
        };
        _connection.Channel = channel;
        Deadlines.Enter(ConnectionPhase.Open);
        Context.Counters.ChannelOpened();
        _connection.Handler.OnOpened(channel);
        _opened.TrySetResult(channel);
    }
}
