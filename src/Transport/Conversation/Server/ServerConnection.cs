using Gateway.Admission.Clients;
using Gateway.Admission.Stages;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Connections;

namespace Gateway.Transport.Conversation;

/// <summary>The server role of a connection: answers HEL and OPN, hands messages to the handler.</summary>
internal sealed class ServerConnection : UaTcpConnection
{
    /// <summary>Header, five numbers and the length of the URL.</summary>
    private const int HelloFixedBytes = 32;

    private static readonly TimeSpan TimeToReadHello = TimeSpan.FromSeconds(1);

    private readonly ServerEndpoint _endpoint;
    private readonly ServerOpening _opening;
    private string _endpointUrl = "";
    private volatile OpenWork? _work;

    public ServerConnection(
        TransportContext context, ServerEndpoint endpoint, ConnectionContext transport, IConnectionDoor door,
        IChannelHandler handler)
        : base(context, transport, door, handler, StatusCodes.BadResponseTooLarge)
    {
        _endpoint = endpoint;
        _opening = new ServerOpening(context, endpoint, Receiver, Sender);
        RegistryNode = new LinkedListNode<ServerConnection>(this);
        if (door.WaitedSince != 0)
            PhaseSince = HelloSince(door.WaitedSince, context.Limits.HelloDeadline, context.Time);
    }

    /// <summary>Owned by the registry.</summary>
    public LinkedListNode<ServerConnection> RegistryNode { get; }

    /// <summary>Null before the connection was let in.</summary>
    public ClientPass? Pass { get; private set; }

    /// <summary>A peer had time for its HEL while it waited at the door; a second is left to read it in (R05).
    /// </summary>
    internal static long HelloSince(long waitedSince, TimeSpan deadline, TimeProvider time)
    {
        var spent = deadline > TimeToReadHello ? deadline - TimeToReadHello : TimeSpan.Zero;
        var latest = time.GetTimestamp() - (long)(spent.TotalSeconds * time.TimestampFrequency);
        return Math.Max(waitedSince, latest);
    }

    /// <summary>The time for the OPN runs from the connection, so that HEL and OPN together are bounded by it; half of
    /// it is left when the HEL came late.</summary>
    private static long OpenSince(long connectedSince, TimeSpan deadline, TimeProvider time) =>
        Math.Max(connectedSince, time.GetTimestamp() - (long)(deadline.TotalSeconds / 2 * time.TimestampFrequency));

    private AdmissionStage Stage =>
        Phase == ConnectionPhase.Hello ? AdmissionStage.Hello : AdmissionStage.Open;

    /// <summary>Sooner than any client needs to: it waits like one that comes.</summary>
    public bool IsRenewingEarly => Receiver.Tokens.Current is { } token &&
        Context.Time.GetElapsedTime(token.IssuedAt) < token.Lifetime / 10;

    public override void Close() =>
        End(StatusCodes.Good, ChannelCloseReason.LocalClosed, "closed by the server", null, wake: true);

    public void Recycle()
    {
        var decision = Context.Admission.Refuse(Stage, RefusalReason.Recycled, Pass!);
        End(decision.Status, ChannelCloseReason.Recycled, "the oldest connection without a session made room",
            RefusalText.Of(decision), wake: true);
    }

    public void ShutDown() => End(
        StatusCodes.BadShutdown, ChannelCloseReason.Shutdown, "the server shuts down", "Shutdown", wake: true);

    /// <summary>True where it was ended.</summary>
    public bool EndUnless(Func<SecureChannel, bool> stays)
    {
        if (Channel is not { } channel || stays(channel))
            return false;
        End(StatusCodes.BadSecurityChecksFailed, ChannelCloseReason.CertificateRejected,
            "its certificate is no longer trusted", "Security checks failed", wake: true);
        return true;
    }

    public override void SetActiveSession(bool active) => _endpoint.Registry.SetActiveSession(this, active);

    /// <summary>Its OPN is on the lane; null: it no longer is.</summary>
    public void SetWorking(OpenWork? work)
    {
        _work = work;
        _endpoint.Registry.SetWorking(this, work is not null);
    }

    /// <summary>The lane did not serve it.</summary>
    public void RefuseOpen(AdmissionStage stage, RefusalReason reason)
    {
        var decision = Context.Admission.Refuse(stage, reason, Pass!);
        End(decision.Status, ChannelCloseReason.TooBusy, "refused by the private-key lane: " + reason,
            RefusalText.Of(decision), wake: false);
    }

    /// <summary>The peer hung up behind its OPN.</summary>
    public void EndGone() => SetEnd(
        StatusCodes.BadConnectionClosed, ChannelCloseReason.PeerClosed, "the peer hung up while its OPN waited");

    protected override async ValueTask AdmitAsync()
    {
        Pass = await Door!.AdmitAsync().ConfigureAwait(false);
        var reason = _endpoint.Registry.TryAdd(this, out var victim);
        if (reason != RefusalReason.None)
        {
            ConversationFault.Refused(
                Context.Admission.Refuse(AdmissionStage.Connection, reason, Pass),
                ChannelCloseReason.TooManyConnections,
                reason == RefusalReason.Reserved
                    ? "the last sixth of Limits:MaxConnections is kept for addresses that hold less"
                    : "Limits:MaxConnections is reached and every connection has an active session");
        }

        victim?.Recycle();
    }

    protected override void CheckFrame(in FrameHeader header)
    {
        var isChunk = header.Chunk is ChunkType.Final ||
            (header.Kind == MessageKind.Message && header.Chunk is ChunkType.Intermediate or ChunkType.Abort);
        if (!isChunk)
            ConversationFault.MessageType("a chunk of no known kind");
        switch (header.Kind)
        {
            case MessageKind.Error:
                break;
            case MessageKind.Hello when Phase == ConnectionPhase.Hello:
                if (header.SizeBytes > HelloFixedBytes + Context.Limits.MaxEndpointUrlLengthBytes)
                    ConversationFault.EndpointUrl("an endpoint URL that is too long");
                break;
            case MessageKind.OpenSecureChannel when Phase != ConnectionPhase.Hello:
                if (header.SizeBytes > _opening.MaxChunkBytes)
                    ConversationFault.TooLarge("an OPN larger than any certificate makes it");
                break;
            case MessageKind.Message or MessageKind.CloseSecureChannel when Phase == ConnectionPhase.Open:
                break;
            case MessageKind.Message or MessageKind.CloseSecureChannel when Phase == ConnectionPhase.Opening:
                ConversationFault.ChannelUnknown("a message before the channel is open");
                break;
            default:
                ConversationFault.MessageType("a message that does not belong here");
                break;
        }
    }

    protected override void OnTransportMessage(MessageKind kind, ReadOnlySpan<byte> body)
    {
        var reader = new UaBinaryReader(body);
        if (kind == MessageKind.Error)
            ConversationFault.Peer(ErrorMessage.Read(ref reader));

        var hello = HelloMessage.Read(ref reader);
        if (reader.Failed)
            ConversationFault.Malformed("a HEL that cannot be read");
        var sizes = hello.Sizes;
        if (Math.Min(sizes.ReceiveBufferSize, sizes.SendBufferSize) < TransportLimits.MinBufferSizeBytes)
            ConversationFault.BufferSize("a HEL with a buffer below 8192");
        _endpointUrl = hello.EndpointUrl ?? "";
        if (!_endpointUrl.StartsWith("opc.tcp://", StringComparison.OrdinalIgnoreCase))
            ConversationFault.EndpointUrl("an endpoint URL of another scheme");
        Context.Admission.Stages.Admit(AdmissionStage.Hello);
        Acknowledge(sizes);
        var connected = PhaseSince;
        EnterPhase(ConnectionPhase.Opening);
        PhaseSince = OpenSince(connected, Context.Limits.OpenDeadline, Context.Time);
    }

    protected override ValueTask OpenAsync(byte[] chunk)
    {
        if (Channel is null)
            Pass!.OpenArrived();
        var since = Context.Time.GetTimestamp();
        OpenRequest request;
        try
        {
            request = _opening.Begin(chunk, Channel);
        }
        catch (SecureChannelException e) when (IsHeld(e))
        {
            return EndHeldAsync(since, e);
        }

        var isRenewal = Channel is not null;
        if (!request.Policy.IsNone)
            return new OpenWork(this, request, isRenewal).StartAsync(Pass!);
        Complete(request);
        Context.Admission.Stages.Admit(isRenewal ? AdmissionStage.Renew : AdmissionStage.Open);
        return default;
    }

    /// <summary>Failures that leave at their moment, whatever the check (R13).</summary>
    internal static bool IsHeld(SecureChannelException fault) =>
        fault.Status.Code == StatusCodes.BadSecurityChecksFailed;

    private async ValueTask EndHeldAsync(long since, SecureChannelException fault)
    {
        await Context.Failures.WaitAsync(since).ConfigureAwait(false);
        throw fault;
    }

    /// <summary>An end that was asked for meets an OPN in the lane.</summary>
    protected override void OnWoken()
    {
        base.OnWoken();
        _work?.Leave();
    }

    protected override void OnCloseRequested() =>
        End(StatusCodes.Good, ChannelCloseReason.PeerClosed, "the client closed the channel", null, wake: false);

    protected override bool IsInactive(long now) =>
        Phase == ConnectionPhase.Open && Channel is { HasActiveSession: false } &&
        IdleTime(now) > Context.Limits.InactivityTimeout;

    protected override MessageLimits LimitsFor(bool hasActiveSession) =>
        MessageLimits.Of(Context.Limits, hasActiveSession);

    protected override bool OnFinished(ConnectionEnd end)
    {
        _endpoint.Registry.Remove(this);
        if (end.Reason is ChannelCloseReason.HelloDeadline or ChannelCloseReason.OpenDeadline)
        {
            var stage = end.Reason == ChannelCloseReason.HelloDeadline ? AdmissionStage.Hello : AdmissionStage.Open;
            Context.Admission.Refuse(stage, RefusalReason.Silent, Pass!);
        }
        else if (ReasonOf(end.Reason) is { } reason)
        {
            var stage = Channel is null ? AdmissionStage.Open : AdmissionStage.Renew;
            Context.Admission.Note(stage, reason, end.Status, Pass, "", end.Detail, user: null);
        }

        Pass?.Dispose();
        return false;
    }

    /// <summary>Null: nobody was refused.</summary>
    private static RefusalReason? ReasonOf(ChannelCloseReason reason) => reason switch
    {
        ChannelCloseReason.CertificateRejected => RefusalReason.CertificateRefused,
        ChannelCloseReason.SecurityChecksFailed or ChannelCloseReason.SecurityPolicyRejected =>
            RefusalReason.SecurityRefused,
        _ => null,
    };

    /// <summary>The private-key work, and the channel that comes of it. Errors: SecureChannelException.</summary>
    public void Complete(OpenRequest request)
    {
        var opened = _opening.Complete(request, Channel, Pass!);
        if (Channel is { } renewed)
        {
            Context.Counters.ChannelRenewed();
            Handler.OnRenewed(renewed);
            return;
        }

        Channel = new SecureChannel(this)
        {
            ChannelId = Receiver.ChannelId,
            Policy = request.Policy,
            SecurityMode = opened.SecurityMode,
            PeerCertificate = opened.Leaf,
            PeerCertificateChain = opened.Chain,
            PeerThumbprint = opened.Thumbprint,
            RemoteEndPoint = Transport.RemoteEndPoint,
            Pass = Pass,
            EndpointUrl = _endpointUrl,
            IsDiscoveryOnly = request.Policy.IsNone && !_endpoint.Options.Policies.Contains(request.Policy),
        };
        EnterPhase(ConnectionPhase.Open);
        Context.Counters.ChannelOpened();
        Handler.OnOpened(Channel);
    }

    private void Acknowledge(in TransportSizes peer)
    {
        var limits = Context.Limits;
        ReceiveBufferSize = (int)Math.Min(peer.SendBufferSize, (uint)limits.ReceiveBufferSizeBytes);
        var send = (int)Math.Min(peer.ReceiveBufferSize, (uint)limits.SendBufferSizeBytes);
        Sender.SetSizes(new PeerSizes(send, peer.MaxMessageSize, peer.MaxChunkCount));

        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        writer.WriteInt64(0);
        writer.WriteUInt32(0);
        new TransportSizes(
            (uint)ReceiveBufferSize, (uint)send, (uint)limits.MaxMessageSizeBytes, (uint)limits.MaxChunkCount)
            .Write(ref writer);
        writer.Complete();
        var message = buffer.WholeSpan;
        FrameReader.WriteHeader(message, MessageKind.Acknowledge, ChunkType.Final, message.Length);
        Sender.SendRaw(message);
    }
}
