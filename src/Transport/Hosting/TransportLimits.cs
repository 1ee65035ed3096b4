using Gateway.Codec;

namespace Gateway.Transport.Hosting;

/// <summary>Every limit of the transport, each finite. Sizes in bytes. When a limit acts, it counts the close reason
/// named behind it in <see cref="ChannelCloseReason"/>.</summary>
public sealed class TransportLimits
{
    /// <summary>Smallest buffer that a peer may ask for. Source: Part 6 §7.1.2.3.</summary>
    public const int MinBufferSizeBytes = 8192;

    /// <summary>The largest chunk that is taken (MessageTooLarge).</summary>
    public int ReceiveBufferSizeBytes { get; init; } = 64 * 1024;

    /// <summary>The largest chunk that is made.</summary>
    public int SendBufferSizeBytes { get; init; } = 64 * 1024;

    /// <summary>The largest message that is taken once a session is active (MessageTooLarge).</summary>
    [CopiedAtStart]
    public int MaxMessageSizeBytes { get; init; } = 16 * 1024 * 1024;

    public int MaxChunkCount { get; init; } = 1024;

    /// <summary>Before a session is active (R03): twice the longest chain of certificates, and some KiB. A channel that
    /// holds so much of a message takes less than 64 KiB in all.</summary>
    public int MaxMessageSizeBeforeSessionBytes { get; init; } = 40 * 1024;

    public int MaxChunkCountBeforeSession { get; init; } = 16;

    public int MaxEndpointUrlLengthBytes { get; init; } = 4096;

    /// <summary>The SenderCertificate with its chain (R11).</summary>
    public int MaxCertificateBlobBytes { get; init; } = 16 * 1024;

    /// <summary>Signature checks that one certificate may cost before its peer has proven anything (R11): a leaf, its
    /// authority and the root are three; a revocation list of an authority that only the peer knows is one.</summary>
    public int MaxChainSignatureChecks { get; init; } = 6;

    /// <summary>The longest RSA key of a certificate that a peer sent (R33); the operator's own may have twice as many.
    /// </summary>
    public int MaxIssuerKeyBits { get; init; } = 4096;

    /// <summary>Verdicts on certificates whose peers have shown that they hold the key (R47), for each of clients,
    /// users and upstreams: about 2.5 KB each.</summary>
    [CopiedAtStart]
    public long MaxCertificateCacheBytes { get; init; } = 32 * 1024 * 1024;

    /// <summary>RSA blocks in one OPN (R11): a request of 132 bytes and a 4096-bit signature fill four of 2048 bits.
    /// </summary>
    public int MaxAsymmetricBlocks { get; init; } = 8;

    /// <summary>From the connection to its HEL (HelloDeadline).</summary>
    [CopiedAtStart]
    public TimeSpan HelloDeadline { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>From the connection to a finished OPN, at least half of it from HEL (OpenDeadline).</summary>
    [CopiedAtStart]
    public TimeSpan OpenDeadline { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>From a chunk's first byte to its last; before a session is active also from a message's first byte to
    /// its last (ChunkDeadline).</summary>
    [CopiedAtStart]
    public TimeSpan ChunkDeadline { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>From a message's first byte to its last, whatever its size, with an active session (MessageDeadline).
    /// </summary>
    public TimeSpan MessageDeadline { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>How fast a message has to come once it takes longer than ChunkDeadline: a slow modem's rate, so that
    /// a trickle ends soon and a large upload does not (MessageDeadline).</summary>
    public int MinMessageBytesPerSecond { get; init; } = 4096;

    /// <summary>How long the peer may take nothing while something waits (WriteDeadline).</summary>
    [CopiedAtStart]
    public TimeSpan WriteDeadline { get; init; } = TimeSpan.FromSeconds(8);

    /// <summary>How long a connection that was answered ERR may go on sending into nothing before it is closed.
    /// </summary>
    public TimeSpan LingerTime { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How long a connection that is refused as it comes waits for its ERR: it slows a client that comes back
    /// at once.</summary>
    public TimeSpan RefusalHoldTime { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Refused connections that are held, and as many that linger; further ones get the error and are closed
    /// at once.</summary>
    public int MaxHeldRefusals { get; init; } = 2048;

    public long MaxLingerBytes { get; init; } = 1024 * 1024;

    /// <summary>A channel without an active session over which nothing comes (Inactive). One with a session ends with
    /// its token or with the session.</summary>
    [CopiedAtStart]
    public TimeSpan InactivityTimeout { get; init; } = TimeSpan.FromSeconds(60);

    [CopiedAtStart]
    public TimeSpan MinTokenLifetime { get; init; } = TimeSpan.FromSeconds(1);

    public TimeSpan MaxTokenLifetime { get; init; } = TimeSpan.FromHours(1);

    /// <summary>Bytes that wait behind a peer that does not read (SendQueueFull). Must hold one message.</summary>
    public int MaxSendQueueBytes { get; init; } = 20 * 1024 * 1024;

    /// <summary>Output of one burst (the answers of one read, one sweep's messages) that waits for the burst's end; a
    /// message that makes it as much is flushed at once. 1: every message is, which costs a system call each.
    /// </summary>
    public int SendBatchBytes { get; init; } = 64 * 1024;

    /// <summary>All half-received messages and all waiting output of the process (MemoryBudget, R04).</summary>
    [CopiedAtStart]
    public long MemoryBudgetBytes { get; init; } = 512L * 1024 * 1024;

    /// <summary>Connections, with or without a channel (Recycled, TooManyConnections; R06).</summary>
    [CopiedAtStart]
    public int MaxConnections { get; init; } = 13_000;

    /// <summary>Messages handled in one turn before other connections of the same thread get theirs.</summary>
    public int MaxMessagesPerTurn { get; init; } = 64;

    /// <summary>Answers to failed certificate and token checks leave a whole number of these after their work began
    /// (R13): longer than any failure takes by itself. Zero: at once.</summary>
    [CopiedAtStart]
    public TimeSpan FailureAnswerStep { get; init; } = TimeSpan.FromMilliseconds(10);

    /// <summary>Such answers that wait for their moment; more leave at once.</summary>
    [CopiedAtStart]
    public int MaxHeldFailures { get; init; } = 16_384;

    [CopiedAtStart]
    public int PrivateKeyWorkers { get; init; } = Environment.ProcessorCount;

    [CopiedAtStart]
    public int MaxPrivateKeyQueueLength { get; init; } = 4096;

    /// <summary>Work that waited longer is dropped: its client has given up.</summary>
    [CopiedAtStart]
    public TimeSpan PrivateKeyDeadline { get; init; } = TimeSpan.FromSeconds(5);
}
