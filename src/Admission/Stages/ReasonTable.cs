using Gateway.Codec.Types;

namespace Gateway.Admission.Stages;

/// <summary>The meaning of a refusal, as data: the limit behind it, and its label in metrics.</summary>
public static class ReasonTable
{
    private static readonly string[] Names = EnumLabels.Of<RefusalReason>();
    private static readonly string[] StageNames = EnumLabels.Of<AdmissionStage>();

    /// <summary><c>snake_case</c>.</summary>
    public static string NameOf(RefusalReason reason) => Names[(int)reason];

    public static string NameOf(AdmissionStage stage) => StageNames[(int)stage];

    /// <summary>The key below <c>Limits:</c> that an operator would change; null where none is behind it.</summary>
    public static string? LimitOf(RefusalReason reason) => reason switch
    {
        RefusalReason.MaxConnections or RefusalReason.Recycled => "MaxConnections",
        RefusalReason.MaxConnectionsPerAddress => "MaxConnectionsPerAddress",
        RefusalReason.MaxConnectionsPerCertificate => "MaxConnectionsPerCertificate",
        RefusalReason.ConnectionRate => "MaxConnectionsPerSecond",
        RefusalReason.ConnectionRatePerAddress => "MaxConnectionsPerSecondPerAddress",
        RefusalReason.QueueFull => "MaxPrivateKeyQueueLength",
        RefusalReason.WaitedTooLong => "DoorPatience",
        RefusalReason.Silent => "HelloDeadline",
        RefusalReason.MaxSessions => "MaxSessions",
        RefusalReason.MaxSessionsPerUser => "MaxSessionsPerUser",
        RefusalReason.MaxSessionsPerCertificate => "MaxSessionsPerCertificate",
        RefusalReason.MaxSessionsPerAddress => "MaxSessionsPerAddress",
        RefusalReason.MaxSessionsPerSecureChannel => "MaxSessionsPerSecureChannel",
        RefusalReason.LockedOut => "MaxFailedLogins",
        RefusalReason.PendingRequests => "MaxPendingRequestsPerSession",
        RefusalReason.DecodeMemory => "MaxDecodedBytes",
        RefusalReason.PublishRequests => "MaxPublishRequestsPerSession",
        RefusalReason.RequestRatePerAddress => "MaxHttpRequestsPerSecondPerAddress",
        RefusalReason.MessageTooLarge => "MaxMessageSizeBytes",
        RefusalReason.EndpointUrlInvalid => "MaxEndpointUrlLengthBytes",
        RefusalReason.SendQueueFull => "MaxSendQueueBytes",
        RefusalReason.MemoryBudget => "MemoryBudgetBytes",
        RefusalReason.ReservedSubscriptions => "MaxSubscriptions",
        RefusalReason.ReservedItems => "MaxMonitoredItems",
        RefusalReason.MaxHttpWebSockets or RefusalReason.MaxHttpWebSocketsPerAddress => reason.ToString(),
        RefusalReason.ChunkDeadline or RefusalReason.MessageDeadline or RefusalReason.WriteDeadline or
            >= RefusalReason.MaxSubscriptions and <= RefusalReason.MaxHttpStreamsPerAddress => reason.ToString(),
        _ => null,
    };

    /// <summary>The status for the peer. Source: Part 4 §7.38.2, Part 6 §7.1.5.</summary>
    public static StatusCode StatusOf(AdmissionStage stage, RefusalReason reason) => reason switch
    {
        RefusalReason.None => StatusCode.Good,
        RefusalReason.ShuttingDown => StatusCodes.BadShutdown,
        RefusalReason.LockedOut or RefusalReason.CredentialsRefused or RefusalReason.AccessDenied =>
            StatusCodes.BadUserAccessDenied,
        RefusalReason.CertificateRefused or RefusalReason.SecurityRefused => StatusCodes.BadSecurityChecksFailed,
        RefusalReason.PublishRequests => StatusCodes.BadTooManyPublishRequests,
        RefusalReason.MaxSessions or RefusalReason.MaxSessionsPerUser or RefusalReason.MaxSessionsPerAddress or
            RefusalReason.MaxSessionsPerCertificate or RefusalReason.MaxSessionsPerSecureChannel =>
            StatusCodes.BadTooManySessions,
        RefusalReason.Reserved or RefusalReason.Evicted when stage is AdmissionStage.CreateSession
            or AdmissionStage.ActivateSession => StatusCodes.BadTooManySessions,
        RefusalReason.Evicted => StatusCodes.BadTimeout,
        _ when stage is AdmissionStage.Connection or AdmissionStage.Hello or AdmissionStage.Open
            or AdmissionStage.Renew => StatusCodes.BadTcpServerTooBusy,
        _ => StatusCodes.BadServerTooBusy,
    };

    /// <summary>The HTTP status for the peer. 429: it, or its address, has too much. 503: all have.</summary>
    public static int HttpStatusOf(RefusalReason reason) => reason is RefusalReason.LockedOut
        or RefusalReason.MaxConnectionsPerAddress or RefusalReason.ConnectionRatePerAddress
        or RefusalReason.RequestRatePerAddress or RefusalReason.MaxHttpWebSocketsPerAddress
            ? 429
            : 503;
}
