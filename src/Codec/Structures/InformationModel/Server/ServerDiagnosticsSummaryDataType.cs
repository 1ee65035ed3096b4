namespace Gateway.Codec.Structures;

[Structure(859, 861)]
public sealed partial class ServerDiagnosticsSummaryDataType
{
    public uint ServerViewCount { get; init; }

    public uint CurrentSessionCount { get; init; }

    public uint CumulatedSessionCount { get; init; }

    public uint SecurityRejectedSessionCount { get; init; }

    public uint RejectedSessionCount { get; init; }

    public uint SessionTimeoutCount { get; init; }

    public uint SessionAbortCount { get; init; }

    public uint CurrentSubscriptionCount { get; init; }

    public uint CumulatedSubscriptionCount { get; init; }

    public uint PublishingIntervalCount { get; init; }

    public uint SecurityRejectedRequestsCount { get; init; }

    public uint RejectedRequestsCount { get; init; }
}
