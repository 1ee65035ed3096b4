using Gateway.Admission.Stages;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Attributes;
using Gateway.Publish;
using Gateway.Publish.Streams;
using Gateway.Server.Audit;
using Gateway.Server.Audit.Trail;
using Gateway.Server.Conditions;
using Gateway.Server.Diagnostics;
using Gateway.Server.Discovery;
using Gateway.Server.Dispatch;
using Gateway.Server.Management;
using Gateway.Server.Messages;
using Gateway.Server.ServerObject;
using Gateway.Server.Services;
using Gateway.Server.Sessions;
using Gateway.Server.Streams;
using Gateway.Server.Users;
using Gateway.Server.Work;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.Server;

/// <summary>
/// The services on top of SecureChannels. Any thread may call every member; messages of one channel come one after the
/// other. Shutdown order: <see cref="BeginShutdown"/>, then <see cref="CloseSessions"/>, then the transport, then
/// <see cref="Dispose"/>.
/// </summary>
public sealed partial class GatewayServer : IChannelHandler, IDisposable
{
    private const int WheelSlots = 1024;

    /// <summary>For the deadlines of sessions and of waiting requests.</summary>
    private static readonly TimeSpan WheelResolution = TimeSpan.FromMilliseconds(100);

    private readonly WheelTimer _wheel;
    private readonly SessionManager _sessions;
    private readonly RequestDispatcher _dispatcher;
    private readonly AuditLog _audit;
    private readonly OwnCertificate _certificate;
    private readonly EndpointCatalog _catalog;
    private readonly ServerLifetime _lifetime;
    private readonly LiveServerObject _serverObject;
    private readonly IDisposable _evictions;
    private readonly StreamOpener _streams;
    private readonly PublishEngine _publishing;
    private readonly ServiceAdmission _admission;

    public GatewayServer(ServerOptions options, ServerParts parts)
    {
        var (clock, loggers, limits) = (parts.Clock, parts.Loggers, options.Limits);
        Limits = limits;
        Decoding = new DecodeBudget(limits.MaxDecodedBytes);
        Counters = new ServerCounters(Decoding);
        _lifetime = new ServerLifetime(clock);
        var logger = loggers.CreateLogger<GatewayServer>();
        _wheel = new WheelTimer(clock, WheelResolution, WheelSlots, error => LogDueFailed(logger, error));
        _certificate = parts.Certificate;
        _catalog = new EndpointCatalog(options, _certificate.Current);
        _certificate.Changed += _catalog.Follow;
        _publishing = parts.Publishing;
        var trail = new AuditTrail(_publishing.Events, options.ApplicationUri, parts.AuditSink, clock);
        var audit = new AuditLog(loggers.CreateLogger<AuditLog>(), Counters, limits, parts.Admission, trail, clock);
        _audit = audit;
        Logins = new UserLogins(parts.Users, audit, clock);
        var access = parts.Operations.Access;
        Conditions = new ConditionOperations(parts.Publishing.Conditions, parts.Nodes, access);
        Audit = new OperationAudit(audit, access);
        _streams = new StreamOpener(parts.Publishing, access, Audit, _lifetime);
        var admission = new ServiceAdmission(parts.Admission);
        _admission = admission;
        _sessions = new SessionManager(
            limits, parts.Publishing, access, _wheel, Counters, admission, audit, () => parts.Users.Anonymous, clock);
        _evictions = parts.Publishing.ListenToEvictions((owner, id) => TellEvicted(owner, id, admission, audit));
        var responder = new Responder(clock, Counters);
        Work = new WorkQueue(
            limits, Counters, clock, loggers.CreateLogger<WorkQueue>(), turn => _dispatcher!.Resume(turn));
        var services = MakeServices(options, parts, admission, audit);
        Counters.Serve(services.Entries);
        _dispatcher = new RequestDispatcher(
            services, _sessions, responder, Counters, audit, admission, Work, Decoding, parts.Failures, parts.Tracing,
            clock, loggers.CreateLogger<RequestDispatcher>());
        Messages = new MessageDoor(_dispatcher, _sessions);
        Directory = new SessionDirectory(_sessions, parts.Users, clock);
        Describe(admission.Stages, limits, parts.Publishing.Limits);
        UnservedNodes.Remove(parts.Nodes);
        var diagnostics = new DiagnosticsValues(options, parts.Nodes, _sessions, parts.Publishing, Counters, clock);
        DiagnosticsNodes.Connect(parts.Nodes, diagnostics, new DiagnosticsSource(diagnostics, clock));
        _serverObject = new LiveServerObject(
            options, parts.Publishing.Limits, parts.Nodes, parts.Values, _lifetime,
            new ServiceLevel(parts.Admission, _sessions, limits, _lifetime, Counters, clock), clock,
            loggers.CreateLogger<LiveServerObject>());
    }

    /// <summary>The limits in force.</summary>
    public ServerLimits Limits { get; }

    public ServerCounters Counters { get; }

    /// <summary>The user check of the other doors.</summary>
    public UserLogins Logins { get; }

    /// <summary>Logs the operations of other protocols.</summary>
    public OperationAudit Audit { get; }

    /// <summary>The alarms of the gateway, for callers of all protocols.</summary>
    public ConditionOperations Conditions { get; }

    /// <summary>The memory of requests under decoding, whichever protocol brings them.</summary>
    public DecodeBudget Decoding { get; }

    /// <summary>The entry point for messages without a connection.</summary>
    public MessageDoor Messages { get; }

    /// <summary>For operators: the sessions that there are.</summary>
    public SessionDirectory Directory { get; }

    /// <summary>For tests: without workers it goes on when they say so.</summary>
    internal WorkQueue Work { get; }

    /// <summary>Sessions, activated or not yet.</summary>
    public int SessionCount => _sessions.Count;

    /// <summary>Memory of requests that are being decoded and handled now.</summary>
    public long DecodedBytes => Decoding.Bytes;

    public DateTime StartTime => _lifetime.StartTime;

    /// <summary>As GetEndpoints returns them to a client that names no host.</summary>
    public EndpointDescription[] DescribeEndpoints() => _catalog.Describe(null, null);

    public bool IsShuttingDown => _lifetime.IsShuttingDown;

    public void OnOpened(SecureChannel channel)
    {
        var isOffered = !channel.IsDiscoveryOnly && _catalog.IsOffered(channel.Policy, channel.SecurityMode);
        channel.Owner = new ChannelState(channel, isOffered);
        _audit.Channel(
            channel.IsDiscoveryOnly ? AuditEvent.DiscoveryOpened : AuditEvent.ChannelOpened, channel, StatusCode.Good);
    }

    /// <summary>Enters it into the audit trail.</summary>
    public void OnOpenRefused(OpenRefusal refusal) => _audit.Refused(refusal);

    public void OnRenewed(SecureChannel channel) =>
        _audit.Channel(AuditEvent.ChannelRenewed, channel, StatusCode.Good);

    /// <summary>Writes an audit line.</summary>
    public void OnCertificateAccepted(CertificateVerdict verdict, CertificatePeerRole role) => _audit.Client(
        AuditEvent.CertificateAccepted, "", verdict.Thumbprint, StatusCode.Good, $"{role} {verdict.Subject}");

    /// <summary>Writes an audit line.</summary>
    public void OnTrustListChanged(TrustListChange change) =>
        _audit.Client(AuditEvent.TrustListChanged, "", "", StatusCode.Good, change.ToString());

    public void OnMessage(SecureChannel channel, uint requestId, ReadOnlySpan<byte> message) =>
        _dispatcher.Dispatch((ChannelState)channel.Owner!, requestId, message);

    public void OnClosed(SecureChannel channel, StatusCode reason)
    {
        if (channel.Owner is ChannelState state)
            _sessions.OnChannelClosed(state);
        _audit.Channel(AuditEvent.ChannelClosed, channel, reason);
    }

    /// <summary>Opens a subscription without a session, for a caller over another protocol or for a part of the
    /// gateway. The caller's permissions apply as for the items of a session, and the stream counts for the user and
    /// the address.</summary>
    /// <param name="caller">The user, the connection's security and the address.</param>
    /// <param name="options">The settings of the stream.</param>
    /// <param name="status">Bad where null is returned: Bad_Shutdown, Bad_TooManySubscriptions.</param>
    /// <returns>The stream; the caller owns and disposes it.</returns>
    public ValueStream? OpenStream(Caller caller, StreamOptions options, out StatusCode status) =>
        _streams.Open(caller, options, out status);

    /// <summary>The consumer of a stream has logged in again. The same user continues with its present permissions; for
    /// another user the stream is closed. Errors: Bad_SessionClosed, Bad_IdentityChangeNotSupported.</summary>
    public StatusCode ChangeStreamUser(ValueStream stream, Caller caller) => _streams.ChangeUser(stream, caller);

    /// <summary>The numbers in <see cref="Limits"/> and in those of publishing have changed: the Server object and the
    /// operator's report show them. Sessions that are there stay.</summary>
    public void FollowLimits()
    {
        Describe(_admission.Stages, Limits, _publishing.Limits);
        _serverObject.FollowLimits(Limits, _publishing.Limits);
    }

    /// <summary>The kinds of users that endpoints name from now on.</summary>
    public void FollowUsers(bool offerAnonymous, bool offerUserName) =>
        _catalog.Follow(offerAnonymous, offerUserName);

    /// <summary>Rejects new sessions and streams from now on; ServerStatus says Shutdown and counts down. Sessions stay
    /// open until <see cref="CloseSessions"/>.</summary>
    /// <param name="delay">Until sessions end.</param>
    /// <param name="absence">From then until a server is expected to be back: EstimatedReturnTime, and the hint to new
    /// sessions.</param>
    public void BeginShutdown(TimeSpan delay, TimeSpan absence = default)
    {
        _lifetime.BeginShutdown(delay, absence);
        _serverObject.Refresh();
    }

    /// <summary>Ends every session and stream. Held Publish requests get Bad_SessionClosed.</summary>
    public void CloseSessions()
    {
        _sessions.CloseAll(StatusCodes.BadShutdown);
        _publishing.CloseStreams(StatusCodes.BadShutdown);
    }

    public void Dispose()
    {
        _certificate.Changed -= _catalog.Follow;
        _sessions.CloseAll(StatusCodes.BadServerHalted);
        _evictions.Dispose();
        _serverObject.Dispose();
        Work.Dispose();
        _wheel.Dispose();
        _audit.Dispose();
        Counters.Dispose();
    }

    private static void TellEvicted(SessionOwner owner, uint id, ServiceAdmission admission, AuditLog audit)
    {
        var detail = $"subscription {id} without session made room";
        admission.Evicted(AdmissionStage.Request, owner.Address, owner.Certificate, detail);
        audit.Client(
            AuditEvent.SubscriptionEvicted, owner.Address, owner.Certificate, StatusCodes.BadTimeout, detail);
    }

    /// <summary>For requests the use is that of the session with the most pending requests, and the limit is per
    /// session.</summary>
    private void Describe(StageBook stages, ServerLimits limits, PublishLimits publish)
    {
        stages.Describe(AdmissionStage.CreateSession, limits.MaxSessions, () => SessionCount);
        stages.Describe(AdmissionStage.ActivateSession, limits.MaxSessions, () => Counters.ActivatedSessions);
        stages.Describe(
            AdmissionStage.Request, limits.MaxPendingRequestsPerSession, () => _sessions.MostPendingRequests);
        stages.Describe(
            AdmissionStage.Publish, publish.MaxPublishRequestsPerSession, () => _sessions.MostPublishRequests);
    }

    private ServiceLookup MakeServices(
        ServerOptions options, ServerParts parts, ServiceAdmission admission, AuditLog audit)
    {
        var (nodes, values, limits, loggers) = (parts.Nodes, parts.Values, options.Limits, parts.Loggers);
        var operations = parts.Operations;
        var (access, reads) = (operations.Access, operations.Reader);
        var delayed = new DelayedCalls(limits, admission, parts.Memory, _wheel, loggers.CreateLogger<DelayedCalls>());
        SubscriptionMethods.Serve(nodes, options.OfferDurableSubscriptions);
        var conditions = new ConditionMethods(parts.Publishing.Conditions, Conditions, operations.MethodCaller);
        conditions.Serve(nodes);
        var rangeWork = new RangeWork(new RangeCost(nodes, values));
        var readAudit = new ReadAudit(nodes, access, audit);
        var createSession = new CreateSession(
            options, _sessions, _catalog, parts.Certificate, parts.Certificates, parts.PrivateKeyLane, _lifetime,
            admission, parts.Failures, audit);
        var activateSession = new ActivateSession(
            options, _sessions, _catalog, parts.Users, admission, parts.Failures, audit,
            new SessionRevival(parts.Publishing.RestoredSessions, _sessions, limits, parts.Certificate),
            loggers.CreateLogger<ActivateSession>());
        return ServiceTable.Of(
            new DiscoveryService(options, _catalog),
            new SessionService(_sessions, createSession, activateSession, audit),
            new ReadService(
                operations.ReadPlanner, reads, values, new DelayedReads(reads, rangeWork, delayed, readAudit),
                rangeWork, readAudit, limits),
            new WriteService(
                operations.WritePlanner, operations.Writer, rangeWork, nodes, values, access, delayed, audit, limits),
            new ViewService(operations.Browser, operations.Translator, limits),
            new MethodService(operations.MethodCaller, access, conditions, delayed, audit, limits),
            new SubscriptionService(limits, parts.Publishing.Limits, audit),
            new MonitoredItemService(parts.Publishing.Limits));
    }
}
