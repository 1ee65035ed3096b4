using Gateway.Operations;

namespace Gateway.Server;

/// <summary>Every limit of the service layer, checked and finite. Those that the standard has a node for are advertised
/// in ServerCapabilities and OperationLimits with the very numbers used here.</summary>
public sealed record ServerLimits
{
    public static ServerLimits Default { get; } = new();

    /// <summary>Sessions at a time, activated or not (R07). The last sixth is not given to a certificate, user or
    /// address that has more than a sixth (R46): one client alone gets 10,000.</summary>
    public int MaxSessions { get; init; } = 12_000;

    /// <summary>Sessions of one user name or user certificate; anonymous ones count by client certificate,
    /// or by address without one.</summary>
    public int MaxSessionsPerUser { get; init; } = 12_000;

    /// <summary>Sessions of one client certificate.</summary>
    public int MaxSessionsPerCertificate { get; init; } = 12_000;

    /// <summary>Sessions from one IP address; behind NAT or a load balancer that may be all of them.</summary>
    public int MaxSessionsPerAddress { get; init; } = 12_000;

    /// <summary>Sessions on one SecureChannel.</summary>
    public int MaxSessionsPerSecureChannel { get; init; } = 64;

    public TimeSpan MinSessionTimeout { get; init; } = TimeSpan.FromSeconds(10);

    public TimeSpan MaxSessionTimeout { get; init; } = TimeSpan.FromHours(1);

    /// <summary>What a client gets that asks for 0.</summary>
    public TimeSpan DefaultSessionTimeout { get; init; } = TimeSpan.FromMinutes(2);

    /// <summary>From CreateSession to the first ActivateSession (R05).</summary>
    public TimeSpan ActivationTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>ActivateSession calls that fail before the session is closed (R14, R30).</summary>
    public int MaxFailedActivations { get; init; } = 5;

    /// <summary>Failures of one user, from one address and from all, before tries are looked at only every
    /// <see cref="FailedLoginInterval"/> (R30).</summary>
    public int MaxFailedLogins { get; init; } = 5;

    public TimeSpan FailedLoginInterval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Users and addresses whose failures are remembered, in each of two generations; as many accounts keep
    /// what their Browses without a session have left.</summary>
    public int MaxTrackedLogins { get; init; } = 4096;

    /// <summary>Requests of one session that wait for a source or a private key (R08).</summary>
    public int MaxPendingRequestsPerSession { get; init; } = 100;

    /// <summary>The longest that a request may wait for a source, whatever its TimeoutHint.</summary>
    public TimeSpan MaxRequestTimeout { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>One request without its headers; larger ones are answered Bad_RequestTooLarge. CreateSession tells it.
    /// Source: Part 4 §5.7.2.2.</summary>
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

    /// <summary>References of one node in one answer; the rest waits behind a continuation point.</summary>
    public int MaxReferencesPerNode { get; init; } = 1_000;

    /// <summary>References that one Browse or BrowseNext looks at: bounds the work of a turn (R44).</summary>
    public int MaxReferencesPerCall { get; init; } = 50_000;

    /// <summary>A request up to this size is decoded and begun on its connection's thread; a larger one is worked off
    /// on the workers (R44).</summary>
    public int MaxImmediateRequestBytes { get; init; } = 32 * 1024;

    /// <summary>A Read whose answer grows beyond this goes to the workers as well.</summary>
    public int MaxImmediateResponseBytes { get; init; } = 256 * 1024;

    /// <summary>Units of work (a reference looked at; about 100 ns) of one request before others get their turn; a turn
    /// ends after 2 ms at the latest.</summary>
    public int MaxWorkPerTurn { get; init; } = 20_000;

    /// <summary>Units of work of one request altogether; what is left of it then is refused.</summary>
    public int MaxWorkPerRequest { get; init; } = 2_000_000;

    /// <summary>Threads for requests that are larger than a turn.</summary>
    public int RequestWorkers { get; init; } = Environment.ProcessorCount;

    /// <summary>Nodes that one RelativePath may pass through before Bad_QueryTooComplex.</summary>
    public int MaxNodesPerBrowsePath { get; init; } = 10_000;

    public int MaxArrayLength { get; init; } = 1_000_000;

    public int MaxStringLengthBytes { get; init; } = 4 * 1024 * 1024;

    public int MaxByteStringLengthBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Memory that the values of one request may take: Bad_EncodingLimitsExceeded before they are made. The
    /// same again for index ranges and method outputs that sources answer it with: Bad_ResponseTooLarge.</summary>
    public long MaxDecodedBytesPerRequest { get; init; } = 32 * 1024 * 1024;

    /// <summary>The same of all requests that are under way; past it a request of more than 64 KiB is refused with
    /// Bad_ServerTooBusy (DecodeMemory). Requests that wait for a source count in the transport's MemoryBudgetBytes.
    /// </summary>
    public long MaxDecodedBytes { get; init; } = 128 * 1024 * 1024;

    /// <summary>Those of them that hold behind every door.</summary>
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

    /// <summary>Host names whose endpoint lists are kept encoded; the name comes from the client.</summary>
    public int MaxCachedEndpointHosts { get; init; } = 64;

    /// <summary>Audit lines of one kind in a second; more are counted and summed up in one line (R24, R29).</summary>
    public int MaxAuditLinesPerSecond { get; init; } = 20;
}
