using Gateway.Admission.Clients;
using Gateway.Admission.Stages;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Transport.Hosting;
using Gateway.Transport.Profiles;
using Microsoft.AspNetCore.Connections;

namespace Gateway.Transport.Conversation;

/// <summary>The server's side of a connection: admission, HEL and OPN, the place in the registry.</summary>
internal sealed class ServerRole : IConnectionRole
{
    /// <summary>Header, five numbers and the length of the URL.</summary>
    private const int HelloFixedBytes = 32;

    private static readonly TimeSpan TimeToReadHello = TimeSpan.FromSeconds(1);

    private readonly UaTcpConnection _connection;
    private readonly IConnectionDoor _door;
    private readonly ServerEndpoint _endpoint;
    private readonly ServerOpening _opening;
    private readonly long _since;
    private OpeningTrace? _trace;
    private string _endpointUrl = "";
    private volatile OpenWork? _work;
    private bool _hasGivenWay;
    private bool _isGreeted;

    public ServerRole(
        TransportContext context, ServerEndpoint endpoint, ConnectionContext transport, IConnectionDoor door,
        IChannelHandler handler)
    {
        (_endpoint, _door) = (endpoint, door);
        _connection = new UaTcpConnection(context, transport, this, handler, StatusCodes.BadResponseTooLarge);
        _opening = new ServerOpening(context, endpoint, _connection.Receiver, _connection.Sender);
        RegistryNode = new LinkedListNode<ServerRole>(this);
        _since = Deadlines.PhaseSince;
        if (context.Tracing is { } tracing && tracing.TakesNext())
            _trace = new OpeningTrace(tracing, context.Time, door.WaitedSince != 0 ? door.WaitedSince : _since);
        if (door.WaitedSince != 0)
            Deadlines.PhaseSince = HelloSince(door.WaitedSince, context.Limits.HelloDeadline, context.Time);
    }

    /// <summary>Owned by the registry.</summary>
    public LinkedListNode<ServerRole> RegistryNode { get; }

    /// <summary>The registry's: the number of this connection since the start, and its place in the pages.</summary>
    public long Serial { get; set; }

    public int Place { get; set; }

    /// <summary>Null before the connection was admitted.</summary>
    public ClientPass? Pass { get; private set; }

    /// <summary>Sooner than any client needs to: it waits like one that comes.</summary>
    public bool IsRenewingEarly => _connection.Receiver.Tokens.Current is { } token &&
        Context.Time.GetElapsedTime(token.IssuedAt) < token.Lifetime / 10;

    public TransportContext Context => _connection.Context;

    public bool IsEnding => _connection.IsEnding;

    public MessageLimits MessageLimits => MessageLimits.Of(Context.Limits, Channel?.HasActiveSession == true);

    private SecureChannel? Channel => _connection.Channel;

    private ConnectionDeadlines Deadlines => _connection.Deadlines;

    private ConnectionEnding Ending => _connection.Ending;

    private AdmissionStage Stage =>
        Deadlines.Phase == ConnectionPhase.Hello ? AdmissionStage.Hello : AdmissionStage.Open;

    /// <summary>A peer had time for its HEL while it waited at the door; a second is left to read it in (R05).
    /// </summary>
    internal static long HelloSince(long waitedSince, TimeSpan deadline, TimeProvider time)
    {
        var spent = deadline > TimeToReadHello ? deadline - TimeToReadHello : TimeSpan.Zero;
        var latest = time.GetTimestamp() - (long)(spent.TotalSeconds * time.TimestampFrequency);
        return Math.Max(waitedSince, latest);
    }

    public Task RunAsync() => _connection.RunAsync();

    public void Close() => Ending.End(
        StatusCodes.Good, ChannelCloseReason.LocalClosed, "closed by the server", null, wake: true);

    /// <summary>Under the registry's lock, where sessions become active, too. So the choice is the end: a connection
    /// whose session became active first is not chosen, and one that was chosen takes no more requests (R06).</summary>
    public void GiveWayUnderLock() => _hasGivenWay = Ending.TrySet(
        ReasonTable.StatusOf(Stage, RefusalReason.Recycled), ChannelCloseReason.Recycled,
        "the oldest connection without a session made room");

    /// <summary>After <see cref="GiveWayUnderLock"/>: counts it and tells the peer.</summary>
    public void Recycle()
    {
        var decision = Context.Admission.Refuse(Stage, RefusalReason.Recycled, Pass!);
        if (_hasGivenWay)
            Ending.Answer(decision.Status, RefusalText.Of(decision), wake: true);
    }

    /// <summary>False: it is ending already.</summary>
    public bool EndByOperator(string detail)
    {
        if (!Ending.TrySet(StatusCodes.BadSecureChannelClosed, ChannelCloseReason.EndedByOperator, detail))
            return false;
        Ending.Answer(StatusCodes.BadSecureChannelClosed, "Closed by an operator", wake: true);
        return true;
    }

    /// <summary>For an operator, at one moment. Null: it is over.</summary>
    public ConnectionReport? Report()
    {
        var now = Context.Time.GetTimestamp();
        var phase = Deadlines.Phase;
        if (Pass is not { } pass || phase == ConnectionPhase.Closed)
            return null;
        return new ConnectionReport(Serial, Place, pass, _connection.Transport.RemoteEndPoint, Channel)
        {
            State = IsEnding ? ConnectionState.Ending : (ConnectionState)phase,
            Age = Context.Time.GetElapsedTime(_since, now),
            Idle = Deadlines.IdleTime(now),
            Stalled = _connection.Sender.StalledSince is var stalled and not 0
                ? Context.Time.GetElapsedTime(stalled, now)
                : null,
            HeldBytes = _connection.HeldBytes,
            EndpointUrl = _endpointUrl,
        };
    }

    public void ShutDown() => Ending.End(
        StatusCodes.BadShutdown, ChannelCloseReason.Shutdown, "the server shuts down", "Shutdown", wake: true);

    /// <summary>True where it was ended.</summary>
    public bool EndUnless(Func<SecureChannel, bool> stays)
    {
        if (Channel is not { } channel || stays(channel))
            return false;
        Ending.End(StatusCodes.BadSecurityChecksFailed, ChannelCloseReason.CertificateRejected,
            "its certificate is no longer trusted", "Security checks failed", wake: true);
        return true;
    }

    public void SetActiveSession(bool active)
    {
        _endpoint.Registry.SetActiveSession(this, active);
        _door.SetActiveSession(active);
    }

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
        Ending.End(decision.Status, ChannelCloseReason.TooBusy, "refused by the private-key lane: " + reason,
            RefusalText.Of(decision), wake: false);
    }

    /// <summary>The peer hung up behind its OPN.</summary>
    public void EndGone() => Ending.TrySet(
        StatusCodes.BadConnectionClosed, ChannelCloseReason.PeerClosed, "the peer hung up while its OPN waited");

    public async ValueTask StartAsync()
    {
        Pass = await _door.AdmitAsync().ConfigureAwait(false);
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

    public void CheckFrame(in FrameHeader header)
    {
        switch (header.Kind)
        {
            case MessageKind.Hello when Deadlines.Phase == ConnectionPhase.Hello:
                if (header.SizeBytes > HelloFixedBytes + Context.Limits.MaxEndpointUrlLengthBytes)
                    ConversationFault.EndpointUrl("an endpoint URL that is too long");
                break;
            case MessageKind.OpenSecureChannel when Deadlines.Phase != ConnectionPhase.Hello:
                if (header.SizeBytes > _opening.MaxChunkBytes)
                    ConversationFault.TooLarge("an OPN larger than any certificate makes it");
                break;
            case MessageKind.Message or MessageKind.CloseSecureChannel when Deadlines.Phase == ConnectionPhase.Open:
                break;
            case MessageKind.Message or MessageKind.CloseSecureChannel when Deadlines.Phase == ConnectionPhase.Opening:
                ConversationFault.ChannelUnknown("a message before the channel is open");
                break;
            default:
                ConversationFault.MessageType("a message that does not belong here");
                break;
        }
    }

    public void OnHello(ref UaBinaryReader reader)
    {
        var hello = HelloMessage.Read(ref reader);
        if (reader.Failed)
            ConversationFault.Malformed("a HEL that cannot be read");
        var sizes = hello.Sizes;
        if (Math.Min(sizes.ReceiveBufferSize, sizes.SendBufferSize) < TransportLimits.MinBufferSizeBytes)
            ConversationFault.BufferSize("a HEL with a buffer below 8192");
        _endpointUrl = hello.EndpointUrl ?? "";
        if (!TransportProfiles.HasKnownScheme(_endpointUrl))
            ConversationFault.EndpointUrl("an endpoint URL of another scheme");
        _isGreeted = true;
        _trace?.Take("Hello");
        Context.Admission.Stages.Admit(AdmissionStage.Hello);
        Acknowledge(sizes);
        var connected = Deadlines.PhaseSince;
        Deadlines.Enter(ConnectionPhase.Opening);
        Deadlines.PhaseSince = OpenSince(connected, Context.Limits.OpenDeadline, Context.Time);
    }

    public ValueTask OpenAsync(byte[] chunk)
    {
        if (Channel is null)
        {
            Pass!.OpenArrived();
            _trace?.Take("Open");
        }

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

    public void Watch(IHangUpWatcher? watcher) => _door.Watch(watcher);

    /// <summary>An OPN in the lane need not wait for its turn.</summary>
    public void OnWoken() => _work?.Leave();

    public void OnCloseRequested() => Ending.End(
        StatusCodes.Good, ChannelCloseReason.PeerClosed, "the client closed the channel", null, wake: false);

    /// <summary>A channel without an active session over which nothing comes.</summary>
    public ChannelCloseReason? CheckDeadlines(long now) =>
        Deadlines.Phase == ConnectionPhase.Open && Channel is { HasActiveSession: false } &&
        Deadlines.IdleTime(now) > Context.Limits.InactivityTimeout
            ? ChannelCloseReason.Inactive
            : null;

    public bool OnFinished(ConnectionEnd end)
    {
        _endpoint.Registry.Remove(this);
        _trace?.Ended(end, _connection.Transport.RemoteEndPoint);
        if (Pass is { } pass && end.Reason is ChannelCloseReason.HelloDeadline or ChannelCloseReason.OpenDeadline)
        {
            var stage = end.Reason == ChannelCloseReason.HelloDeadline ? AdmissionStage.Hello : AdmissionStage.Open;
            Context.Admission.Refuse(stage, RefusalReason.Silent, pass);
        }
        else if (ReasonOf(end.Reason) is { } reason)
        {
            var stage = StageOf(reason);
            Context.Admission.Note(stage, reason, end.Status, Pass, "", end.Detail, user: null);
            if (stage is AdmissionStage.Open or AdmissionStage.Renew)
                _connection.Handler.OnOpenRefused(_opening.RefusalOf(
                    end, _connection.Transport.RemoteEndPoint, isRenewal: Channel is not null));
        }

        Pass?.Dispose();
        return false;
    }

    /// <summary>The private-key work, and the channel that comes of it. Errors: SecureChannelException.</summary>
    public void Complete(OpenRequest request)
    {
        var opened = _opening.Complete(request, Channel, Pass!);
        if (Channel is { } renewed)
        {
            Context.Counters.ChannelRenewed();
            _connection.Handler.OnRenewed(renewed);
            return;
        }

        var channel = new SecureChannel(_connection)
        {
            Profile = _connection.Transport.Features.Get<TransportProfile>() ?? TransportProfiles.UaTcp,
            ChannelId = _connection.Receiver.ChannelId,
            Policy = request.Policy,
            SecurityMode = opened.SecurityMode,
            PeerCertificate = opened.Leaf,
            PeerCertificateChain = opened.Chain,
            PeerThumbprint = opened.Thumbprint,
            RequestedLifetime = opened.RequestedLifetime,
            OwnCertificate = request.OwnCertificate,
            RemoteEndPoint = _connection.Transport.RemoteEndPoint,
            Pass = Pass,
            EndpointUrl = _endpointUrl,
            IsDiscoveryOnly = request.Policy.IsNone && !_endpoint.Options.Security.Policies.Contains(request.Policy),
        };
        _connection.Channel = channel;
        Deadlines.Enter(ConnectionPhase.Open);
        Context.Counters.ChannelOpened();
        _connection.Handler.OnOpened(channel);
        _trace?.Opened(channel);
        _trace = null;
    }

    private async ValueTask EndHeldAsync(long since, SecureChannelException fault)
    {
        await Context.Failures.WaitAsync(since).ConfigureAwait(false);
        throw fault;
    }

    /// <summary>Null: no refusal, or admission has counted and logged it.</summary>
    internal static RefusalReason? ReasonOf(ChannelCloseReason reason) => reason switch
    {
        ChannelCloseReason.CertificateRejected => RefusalReason.CertificateRefused,
        ChannelCloseReason.SecurityChecksFailed or ChannelCloseReason.SecurityPolicyRejected or
            ChannelCloseReason.SequenceNumberInvalid => RefusalReason.SecurityRefused,
        ChannelCloseReason.Malformed or ChannelCloseReason.MessageTypeInvalid or
            ChannelCloseReason.SecureChannelUnknown => RefusalReason.Malformed,
        ChannelCloseReason.MessageTooLarge => RefusalReason.MessageTooLarge,
        ChannelCloseReason.EndpointUrlInvalid => RefusalReason.EndpointUrlInvalid,
        ChannelCloseReason.ChunkDeadline => RefusalReason.ChunkDeadline,
        ChannelCloseReason.MessageDeadline => RefusalReason.MessageDeadline,
        ChannelCloseReason.WriteDeadline => RefusalReason.WriteDeadline,
        ChannelCloseReason.SendQueueFull => RefusalReason.SendQueueFull,
        ChannelCloseReason.MemoryBudget => RefusalReason.MemoryBudget,
        _ => null,
    };

    /// <summary>Where a connection that has ended stood.</summary>
    private AdmissionStage StageOf(RefusalReason reason)
    {
        if (Channel is null)
            return _isGreeted ? AdmissionStage.Open : AdmissionStage.Hello;
        return reason is RefusalReason.CertificateRefused or RefusalReason.SecurityRefused
            ? AdmissionStage.Renew
            : AdmissionStage.Request;
    }

    /// <summary>The time for the OPN runs from the connection, so that HEL and OPN together are bounded by it; half of
    /// it is left when the HEL came late.</summary>
    private static long OpenSince(long connectedSince, TimeSpan deadline, TimeProvider time) =>
        Math.Max(connectedSince, time.GetTimestamp() - (long)(deadline.TotalSeconds / 2 * time.TimestampFrequency));

    private void Acknowledge(in TransportSizes peer)
    {
        var limits = Context.Limits;
        var receive = (int)Math.Min(peer.SendBufferSize, (uint)limits.ReceiveBufferSizeBytes);
        var send = (int)Math.Min(peer.ReceiveBufferSize, (uint)limits.SendBufferSizeBytes);
        _connection.Intake.ReceiveBufferSize = receive;
        _connection.Sender.SetSizes(new PeerSizes(send, peer.MaxMessageSize, peer.MaxChunkCount));

        using var buffer = new PooledBuffer();
        var writer = FrameWriter.Begin(buffer);
        writer.WriteUInt32(0);
        new TransportSizes(
            (uint)receive, (uint)send, (uint)limits.MaxMessageSizeBytes, (uint)limits.MaxChunkCount)
            .Write(ref writer);
        _connection.Sender.SendRaw(FrameWriter.End(ref writer, buffer, MessageKind.Acknowledge));
    }
}
