using Gateway.Codec;
using Gateway.Operations;

namespace Gateway.Server;

/// <summary>Every limit of the service layer, checked and finite. ServerCapabilities and OperationLimits advertise the
/// same numbers where the standard has a node for them.</summary>
public sealed record ServerLimits
{
    public static ServerLimits Default { get; } = new();

    private ServerLimits? _next;

    /// <summary>All of them at one moment, for a request that needs limits which belong together: a reload changes each
    /// number here one by one, and this at one instant. Never changed itself.</summary>
    public ServerLimits Now =>
        Volatile.Read(ref _next) ?? Interlocked.CompareExchange(ref _next, this with { }, null) ?? _next;

    /// <summary><see cref="Now"/> is another one from now on.</summary>
    public void Follow(ServerLimits next) => Volatile.Write(ref _next, next);

    /// <summary>Sessions at a time, activated or not (R07). A certificate, user or address that has more than a sixth
    /// gets nothing from the last sixth (R46): one client alone gets 10,000.</summary>
    public int MaxSessions { get; init; } = 12_000;

    /// <summary>Sessions of one user name or user certificate. Anonymous sessions count by client certificate, or by
    /// address without one.</summary>
    public int MaxSessionsPerUser { get; init; } = 12_000;

    /// <summary>Sessions of one client certificate.</summary>
    public int MaxSessionsPerCertificate { get; init; } = 12_000;

    /// <summary>Sessions from one IP address; behind NAT or a load balancer that may be all of them.</summary>
    public int MaxSessionsPerAddress { get; init; } = 12_000;

    /// <summary>Sessions on one SecureChannel.</summary>
    public int MaxSessionsPerSecureChannel { get; init; } = 64;

    public TimeSpan MinSessionTimeout { get; init; } = TimeSpan.FromSeconds(10);

    public TimeSpan MaxSessionTimeout { get; init; } = TimeSpan.FromHours(1);

    /// <summary>For a client that asks for 0.</summary>
    public TimeSpan DefaultSessionTimeout { get; init; } = TimeSpan.FromMinutes(2);

    /// <summary>From CreateSession to the first ActivateSession (R05).</summary>
    public TimeSpan ActivationTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>ActivateSession calls that fail before the session is closed (R14, R30).</summary>
    public int MaxFailedActivations { get; init; } = 5;

    /// <summary>Failures of one user, from one address and from all, after which the server checks only one try in each
    /// <see cref="FailedLoginInterval"/> (R30).</summary>
    public int MaxFailedLogins { get; init; } = 5;

    public TimeSpan FailedLoginInterval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Users and addresses whose failures the server remembers, in each of two generations. The same number of
    /// accounts keeps the continuation points of Browses without a session.</summary>
    [CopiedAtStart]
    public int MaxTrackedLogins { get; init; } = 4096;

    /// <summary>A token of an authorization service, at every door (401, Bad_IdentityTokenRejected).</summary>
    [CopiedAtStart]
    public int MaxTokenBytes { get; init; } = 8 * 1024;

    /// <summary>Requests of one session that wait for a source or a private key (R08).</summary>
    public int MaxPendingRequestsPerSession { get; init; } = 100;

    /// <summary>The longest time that a request may wait for a source, whatever its TimeoutHint.</summary>
    public TimeSpan MaxRequestTimeout { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>One request without its headers; a larger one gets Bad_RequestTooLarge. CreateSession returns this
    /// limit. Source: Part 4 §5.7.2.2.</summary>
    [CopiedAtStart]
    public int MaxRequestMessageSizeBytes { get; init; } = 16 * 1024 * 1024;

    public int MaxNodesPerRead { get; init; } = 10_000;

    public int MaxNodesPerWrite { get; init; } = 10_000;

    public int MaxNodesPerMethodCall { get; init; } = 100;

    public int MaxNodesPerBrowse { get; init; } = 1_000;

    public int MaxNodesPerRegisterNodes { get; init; } = 10_000;

    public int MaxNodesPerTranslateBrowsePathsToNodeIds { get; init; } = 1_000;

    /// <summary>Subscription ids in one SetPublishingMode, DeleteSubscriptions or TransferSubscriptions.</summary>
    public int MaxSubscriptionsPerCall { get; init; } = 1_000;

    public int MaxBrowseContinuationPoints { get; init; } = 10;

    /// <summary>References of one node in one response; a continuation point keeps the rest.</summary>
    public int MaxReferencesPerNode { get; init; } = 1_000;

    /// <summary>References that one Browse or BrowseNext visits: bounds the work of a turn (R44).</summary>
    public int MaxReferencesPerCall { get; init; } = 50_000;

    /// <summary>The connection's thread decodes and begins a request up to this size; the workers take a larger one
    /// (R44).</summary>
    public int MaxImmediateRequestBytes { get; init; } = 32 * 1024;

    /// <summary>The workers continue a Read whose response grows beyond this size.</summary>
    public int MaxImmediateResponseBytes { get; init; } = 256 * 1024;

    /// <summary>Work units of one request (one visited reference; about 100 ns) before other requests get their turn. A
    /// turn ends after 2 ms at the latest.</summary>
    public int MaxWorkPerTurn { get; init; } = 20_000;

    /// <summary>Work units of one request altogether; the rest of its operations is refused then.</summary>
    public int MaxWorkPerRequest { get; init; } = 2_000_000;

    /// <summary>Threads for requests that are larger than a turn.</summary>
    [CopiedAtStart]
    public int RequestWorkers { get; init; } = Environment.ProcessorCount;

    /// <summary>Nodes that one RelativePath may pass through before Bad_QueryTooComplex.</summary>
    public int MaxNodesPerBrowsePath { get; init; } = 10_000;

    [CopiedAtStart]
    public int MaxArrayLength { get; init; } = 1_000_000;

    [CopiedAtStart]
    public int MaxStringLengthBytes { get; init; } = 4 * 1024 * 1024;

    [CopiedAtStart]
    public int MaxByteStringLengthBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Memory of the decoded values of one request; above it the request gets Bad_EncodingLimitsExceeded
    /// before they are allocated. The same again for the index ranges and method outputs that sources return for it:
    /// Bad_ResponseTooLarge.</summary>
    [CopiedAtStart]
    public long MaxDecodedBytesPerRequest { get; init; } = 32 * 1024 * 1024;

    /// <summary>The same for all requests under way. Above it a request of more than 64 KiB gets Bad_ServerTooBusy
    /// (DecodeMemory). Requests that wait for a source count in the transport's MemoryBudgetBytes.</summary>
    [CopiedAtStart]
    public long MaxDecodedBytes { get; init; } = 128 * 1024 * 1024;

    /// <summary>The limits that apply to every protocol.</summary>
    internal OperationLimits Operations => new()
    {
        MaxReferencesPerNode = MaxReferencesPerNode,
        MaxReferencesPerCall = MaxReferencesPerCall,
        MaxBrowseContinuationPoints = MaxBrowseContinuationPoints,
        MaxNodesPerBrowsePath = MaxNodesPerBrowsePath,
        MaxWorkPerTurn = MaxWorkPerTurn,
        MaxWorkPerRequest = MaxWorkPerRequest,
        MaxAnswerBytesPerRequest = MaxDecodedBytesPerRequest,
    };

    /// <summary>Host names whose endpoint lists are kept encoded; the client chooses the name.</summary>
    public int MaxCachedEndpointHosts { get; init; } = 64;

    /// <summary>Audit lines of one kind in a second; one line gives the count of the others (R24, R29).</summary>
    public int MaxAuditLinesPerSecond { get; init; } = 20;
}
