namespace Gateway.Admission.Stages;

/// <summary>Why a client was rejected. Its meaning to the peer and to the operator: <see cref="ReasonTable"/>.
/// </summary>
public enum RefusalReason
{
    /// <summary>It was admitted.</summary>
    None,
    MaxConnections,
    MaxConnectionsPerAddress,
    MaxConnectionsPerCertificate,

    /// <summary>More connections a second than the gateway takes, of all addresses.</summary>
    ConnectionRate,
    ConnectionRatePerAddress,

    /// <summary>The process has no descriptor left.</summary>
    NoDescriptor,

    /// <summary>As many wait as may.</summary>
    QueueFull,

    /// <summary>Waited as long as a client does.</summary>
    WaitedTooLong,

    /// <summary>The peer hung up while it waited: nothing was spent on it.</summary>
    GaveUp,

    /// <summary>Made room for one that goes first.</summary>
    Displaced,

    /// <summary>The oldest without a session, at the cap (R06, R07).</summary>
    Recycled,

    /// <summary>It said nothing until its deadline (R05).</summary>
    Silent,
    MaxSessions,
    MaxSessionsPerUser,
    MaxSessionsPerCertificate,
    MaxSessionsPerAddress,
    MaxSessionsPerSecureChannel,

    /// <summary>Too many handshakes of one channel, or password checks, at a time.</summary>
    PendingHandshakes,

    /// <summary>Too many wrong passwords (R30).</summary>
    LockedOut,
    PendingRequests,

    /// <summary>Too much was being decoded for all clients at that moment (R04).</summary>
    DecodeMemory,
    PublishRequests,

    /// <summary>More requests a second than one address may send over HTTP.</summary>
    RequestRatePerAddress,
    ShuttingDown,

    /// <summary>Its certificate does not pass: untrusted, expired, revoked …</summary>
    CertificateRefused,

    /// <summary>A signature, a security policy or a session's data does not fit.</summary>
    SecurityRefused,

    /// <summary>Wrong user, password or user certificate.</summary>
    CredentialsRefused,

    /// <summary>The user has not the role that a node or method asks for.</summary>
    AccessDenied,

    /// <summary>Only the last sixth of a cap is left, and the client holds more than a sixth (R46).</summary>
    Reserved,

    /// <summary>Its client is gone, and another client needed its place (R46).</summary>
    Evicted,

    /// <summary>No message of UA-TCP, or none that may come at this point.</summary>
    Malformed,
    MessageTooLarge,
    EndpointUrlInvalid,

    /// <summary>It took too long to send a chunk, or a message of many (R05).</summary>
    ChunkDeadline,
    MessageDeadline,

    /// <summary>It did not take its messages.</summary>
    WriteDeadline,
    SendQueueFull,

    /// <summary>It held most when all connections together held too much (R04).</summary>
    MemoryBudget,
    MaxSubscriptions,
    MaxSubscriptionsPerSession,
    MaxSubscriptionsPerUser,
    MaxSubscriptionsPerCertificate,
    MaxSubscriptionsPerAddress,

    /// <summary>As <see cref="Reserved"/>.</summary>
    ReservedSubscriptions,
    MaxMonitoredItems,
    MaxMonitoredItemsPerSubscription,
    MaxMonitoredItemsPerSession,
    MaxMonitoredItemsPerUser,
    MaxMonitoredItemsPerCertificate,
    MaxMonitoredItemsPerAddress,

    /// <summary>Of a subscription that is to be taken over, with all its queues.</summary>
    MaxQueuedValuesPerSession,

    /// <summary>Or its reserve.</summary>
    MaxDurableSubscriptions,
    MaxDurableMonitoredItems,
    MaxHttpStreams,
    MaxHttpStreamsPerUser,
    MaxHttpStreamsPerAddress,

    /// <summary>As <see cref="Reserved"/>.</summary>
    ReservedItems,
    MaxHttpWebSockets,
    MaxHttpWebSocketsPerAddress,
}
