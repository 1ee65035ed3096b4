using Gateway.Admission.Lanes;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Connections;

namespace Gateway.Transport.Conversation;

/// <summary>The client role of a connection: says HEL, opens the channel, renews its token.</summary>
internal sealed class ClientConnection : UaTcpConnection
{
    private readonly ClientChannelOptions _options;
    private readonly ClientOpening _opening;
    private readonly bool _saidHello;
    private readonly TaskCompletionSource<SecureChannel> _opened =
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    private int _renewing;

    /// <param name="context">What the client's connections share.</param>
    /// <param name="options">Where to and how.</param>
    /// <param name="transport">Connected.</param>
    /// <param name="handler">Of the channel.</param>
    /// <param name="saidHello">HEL is on its way already.</param>
    public ClientConnection(
        TransportContext context,
        ClientChannelOptions options,
        ConnectionContext transport,
        IChannelHandler handler,
        bool saidHello)
        : base(context, transport, door: null, handler, StatusCodes.BadRequestTooLarge)
    {
        _options = options;
        _saidHello = saidHello;
        _opening = new ClientOpening(context, options, Receiver, Sender);
    }

    /// <summary>Errors: <see cref="ChannelConnectException"/>.</summary>
    public Task<SecureChannel> Opened => _opened.Task;

    /// <summary>The whole message.</summary>
    public static byte[] Hello(TransportContext context, ClientChannelOptions options)
    {
        using var buffer = new PooledBuffer();
        var limits = context.Limits;
        var writer = new UaBinaryWriter(buffer);
        writer.WriteInt64(0);
        var sizes = new TransportSizes(
            (uint)limits.ReceiveBufferSizeBytes, (uint)limits.SendBufferSizeBytes,
            (uint)limits.MaxMessageSizeBytes, (uint)limits.MaxChunkCount);
        new HelloMessage(sizes, options.EndpointUrl).Write(ref writer);
        writer.Complete();
        var message = buffer.WholeSpan;
        FrameReader.WriteHeader(message, MessageKind.Hello, ChunkType.Final, message.Length);
        return message.ToArray();
    }

    public override void Close()
    {
        using var body = new PooledBuffer(MessageLayout.Headroom);
        var request = new CloseSecureChannelRequest
        {
            RequestHeader = new RequestHeader { Timestamp = Context.Time.GetUtcNow().UtcDateTime },
        };
        var writer = new UaBinaryWriter(body);
        writer.WriteNodeId(new NodeId(CloseSecureChannelRequest.BinaryEncodingId));
        request.Encode(ref writer);
        writer.Complete();
        Sender.Send(body, _opening.NextRequestId(), MessageKind.CloseSecureChannel);
        End(StatusCodes.Good, ChannelCloseReason.LocalClosed, "closed by the client", null, wake: true);
    }

    public void Cancel() =>
        End(StatusCodes.BadTimeout, ChannelCloseReason.LocalClosed, "not opened in time", null, wake: true);

    public override void SetActiveSession(bool active)
    {
    }

    public override void CheckDeadlines(long now)
    {
        base.CheckDeadlines(now);
        if (Phase == ConnectionPhase.Open && Receiver.Tokens.Current is { } token &&
            token.IsRenewalDue(Context.Time, now) && Interlocked.Exchange(ref _renewing, 1) == 0)
            Request(SecurityTokenRequestType.Renew);
    }

    protected override void OnStarted()
    {
        if (!_saidHello)
            Sender.SendRaw(Hello(Context, _options));
    }

    protected override void CheckFrame(in FrameHeader header)
    {
        var isChunk = header.Chunk is ChunkType.Final ||
            (header.Kind == MessageKind.Message && header.Chunk is ChunkType.Intermediate or ChunkType.Abort);
        var belongs = header.Kind switch
        {
            MessageKind.Error => true,
            MessageKind.Acknowledge => Phase == ConnectionPhase.Hello,
            MessageKind.OpenSecureChannel => Phase is ConnectionPhase.Opening or ConnectionPhase.Open,
            MessageKind.Message => Phase == ConnectionPhase.Open,
            _ => false,
        };
        if (!isChunk || !belongs)
            ConversationFault.MessageType("a message that does not belong here");
    }

    protected override void OnTransportMessage(MessageKind kind, ReadOnlySpan<byte> body)
    {
        var reader = new UaBinaryReader(body);
        if (kind == MessageKind.Error)
            ConversationFault.Peer(ErrorMessage.Read(ref reader));
        reader.ReadUInt32();
        var sizes = TransportSizes.Read(ref reader);
        if (reader.Failed)
            ConversationFault.Malformed("an ACK that cannot be read");
        if (sizes.ReceiveBufferSize < TransportLimits.MinBufferSizeBytes)
            ConversationFault.BufferSize("an ACK with a buffer below 8192");
        var send = (int)Math.Min(sizes.ReceiveBufferSize, (uint)Context.Limits.SendBufferSizeBytes);
        Sender.SetSizes(new PeerSizes(send, sizes.MaxMessageSize, sizes.MaxChunkCount));
        EnterPhase(ConnectionPhase.Opening);
        Request(SecurityTokenRequestType.Issue);
    }

    protected override async ValueTask OpenAsync(byte[] chunk)
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

    protected override void OnCloseRequested() =>
        ConversationFault.MessageType("a CLO from a server");

    /// <summary>A client's channel ends with its token or when it is closed.</summary>
    protected override bool IsInactive(long now) => false;

    protected override MessageLimits LimitsFor(bool hasActiveSession) =>
        new(Context.Limits.MaxMessageSizeBytes, Context.Limits.MaxChunkCount, MayBeSlow: true);

    /// <summary>Told where nobody has the channel yet.</summary>
    protected override bool OnFinished(ConnectionEnd end) => _opened.TrySetException(
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
            End(StatusCodes.BadTcpServerTooBusy, ChannelCloseReason.TooBusy, "the private-key lane is full", null,
                true);
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
            End(e.Status, e.CloseReason, e.Message, null, wake: true);
        }
#pragma warning disable CA1031 // On the lane's thread: it ends this connection alone (R40).
        catch (Exception e)
#pragma warning restore CA1031
        {
            var remote = Transport.RemoteEndPoint;
            End(StatusCodes.BadTcpInternalError, ChannelCloseReason.InternalError, e.Message, null, wake: true);
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

        Channel = new SecureChannel(this)
        {
            ChannelId = Receiver.ChannelId,
            Policy = _options.Policy,
            SecurityMode = _options.SecurityMode,
            PeerCertificate = _opening.ServerLeaf,
            PeerThumbprint = _opening.ServerThumbprint,
            RemoteEndPoint = Transport.RemoteEndPoint,
            EndpointUrl = _options.EndpointUrl,
        };
        EnterPhase(ConnectionPhase.Open);
        Context.Counters.ChannelOpened();
        Handler.OnOpened(Channel);
        _opened.TrySetResult(Channel);
    }
}
