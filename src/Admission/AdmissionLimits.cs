using Gateway.Codec;

namespace Gateway.Admission;

/// <summary>Every limit of admission, each finite; keys below <c>Limits:</c>.</summary>
public sealed record AdmissionLimits
{
    /// <summary>Connections from one IP address; behind a load balancer that may be all of them.</summary>
    public int MaxConnectionsPerAddress { get; init; } = 13_000;

    /// <summary>Open channels of one client certificate.</summary>
    public int MaxConnectionsPerCertificate { get; init; } = 13_000;

    /// <summary>New connections a second from all addresses; bursts of three seconds' worth pass.</summary>
    [CopiedAtStart]
    public int MaxConnectionsPerSecond { get; init; } = 5_000;

    /// <summary>The same from one address.</summary>
    [CopiedAtStart]
    public int MaxConnectionsPerSecondPerAddress { get; init; } = 4_500;

    /// <summary>HTTP connections.</summary>
    [CopiedAtStart]
    public int MaxHttpConnections { get; init; } = 1_536;

    /// <summary>Of these, the last that answer /livez and /readyz alone where the others are busy (503 for other
    /// requests); at most a quarter.</summary>
    public int HttpConnectionsForHealth { get; init; } = 4;

    /// <summary>HTTP connections from one IP address.</summary>
    public int MaxHttpConnectionsPerAddress { get; init; } = 1_280;

    /// <summary>New HTTP connections a second from all addresses; bursts of three seconds' worth pass.</summary>
    [CopiedAtStart]
    public int MaxHttpConnectionsPerSecond { get; init; } = 1_000;

    /// <summary>The same from one address.</summary>
    [CopiedAtStart]
    public int MaxHttpConnectionsPerSecondPerAddress { get; init; } = 500;

    /// <summary>HTTP requests a second from one address, the health paths aside; bursts of three seconds' worth pass.
    /// </summary>
    [CopiedAtStart]
    public int MaxHttpRequestsPerSecondPerAddress { get; init; } = 50_000;

    /// <summary>Connections that wait at the door for a handshake's turn.</summary>
    [CopiedAtStart]
    public int MaxWaitingConnections { get; init; } = 16_384;

    /// <summary>The longest wait of one there before it gets a retry hint: less than the 5 s after which common clients
    /// give up.</summary>
    [CopiedAtStart]
    public TimeSpan DoorPatience { get; init; } = TimeSpan.FromSeconds(4);

    /// <summary>The window admits as many handshakes as the private keys can serve in this time.</summary>
    public TimeSpan TargetHandshakeWait { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>How long a connection that says nothing keeps its place among them.</summary>
    public TimeSpan SilentLease { get; init; } = TimeSpan.FromMilliseconds(250);

    /// <summary>Handshakes of one known certificate that may go first before their signatures are checked.</summary>
    public int MaxClaimsPerCertificate { get; init; } = 64;

    /// <summary>An address that made a false claim about its certificate counts as unknown for this time.</summary>
    public TimeSpan FalseClaimPenalty { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>Certificates remembered as active before, over restarts.</summary>
    [CopiedAtStart]
    public int MaxKnownCertificates { get; init; } = 50_000;

    /// <summary>Certificates, and as many addresses, whose use is accounted.</summary>
    [CopiedAtStart]
    public int MaxTrackedClients { get; init; } = 16_384;

    /// <summary>The longest <c>RetryAfterMs</c> in a hint.</summary>
    [CopiedAtStart]
    public TimeSpan MaxRetryAfter { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>Refusals kept for the operator.</summary>
    [CopiedAtStart]
    public int MaxDecisions { get; init; } = 1_000;
}
