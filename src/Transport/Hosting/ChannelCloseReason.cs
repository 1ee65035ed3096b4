namespace Gateway.Transport.Hosting;

/// <summary>Why a connection ended: the label of <c>gateway_secure_channel_closes_total</c>.</summary>
public enum ChannelCloseReason
{
    /// <summary>The peer closed: CLO, or the end of the stream between messages.</summary>
    PeerClosed,

    /// <summary>The stream broke or ended inside a chunk.</summary>
    ConnectionLost,
    PeerError,
    LocalClosed,
    Shutdown,
    HelloDeadline,
    OpenDeadline,
    ChunkDeadline,
    MessageDeadline,
    WriteDeadline,
    Inactive,
    TokenExpired,
    MessageTypeInvalid,
    MessageTooLarge,
    Malformed,
    EndpointUrlInvalid,
    SecurityChecksFailed,
    SecurityPolicyRejected,
    SequenceNumberInvalid,
    SecureChannelUnknown,
    CertificateRejected,
    SendQueueFull,
    MemoryBudget,
    Recycled,
    TooManyConnections,
    TooBusy,
    InternalError,

    /// <summary>An operator ended it.</summary>
    EndedByOperator,
}
