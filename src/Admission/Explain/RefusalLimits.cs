using Gateway.Admission.Stages;

namespace Gateway.Admission.Explain;

/// <summary>Which limit is behind a refusal, where it depends on the stage, and which refusals a stage has.</summary>
internal static class RefusalLimits
{
    private static readonly RefusalReason[] OfConnections =
    [
        RefusalReason.MaxConnections, RefusalReason.MaxConnectionsPerAddress, RefusalReason.ConnectionRate,
        RefusalReason.ConnectionRatePerAddress, RefusalReason.NoDescriptor, RefusalReason.QueueFull,
        RefusalReason.WaitedTooLong, RefusalReason.GaveUp, RefusalReason.Displaced, RefusalReason.Recycled,
        RefusalReason.Reserved,
    ];

    private static readonly RefusalReason[] OfOpens =
    [
        RefusalReason.QueueFull, RefusalReason.WaitedTooLong, RefusalReason.GaveUp, RefusalReason.Displaced,
        RefusalReason.MaxConnectionsPerCertificate, RefusalReason.Silent, RefusalReason.PendingHandshakes,
        RefusalReason.CertificateRefused, RefusalReason.SecurityRefused, RefusalReason.Reserved,
        RefusalReason.Malformed, RefusalReason.MessageTooLarge, RefusalReason.ChunkDeadline,
    ];

    private static readonly RefusalReason[] OfSessions =
    [
        RefusalReason.MaxSessions, RefusalReason.MaxSessionsPerAddress, RefusalReason.MaxSessionsPerCertificate,
        RefusalReason.MaxSessionsPerSecureChannel, RefusalReason.Reserved, RefusalReason.Evicted,
        RefusalReason.Recycled, RefusalReason.QueueFull, RefusalReason.WaitedTooLong,
        RefusalReason.PendingHandshakes, RefusalReason.ShuttingDown, RefusalReason.SecurityRefused,
    ];

    private static readonly RefusalReason[] OfActivations =
    [
        RefusalReason.MaxSessionsPerUser, RefusalReason.Reserved, RefusalReason.LockedOut,
        RefusalReason.PendingHandshakes, RefusalReason.CredentialsRefused, RefusalReason.SecurityRefused,
    ];

    private static readonly RefusalReason[] OfRequests =
    [
        RefusalReason.PendingRequests, RefusalReason.AccessDenied, RefusalReason.SecurityRefused,
        RefusalReason.DecodeMemory, RefusalReason.Evicted,
        .. Enum.GetValues<RefusalReason>().Where(
            reason => reason >= RefusalReason.Malformed && reason != RefusalReason.EndpointUrlInvalid),
    ];

    private static readonly RefusalReason[] OfHttpConnections =
    [
        RefusalReason.MaxConnections, RefusalReason.MaxConnectionsPerAddress, RefusalReason.ConnectionRate,
        RefusalReason.ConnectionRatePerAddress, RefusalReason.NoDescriptor, RefusalReason.Recycled,
        RefusalReason.Silent, RefusalReason.WriteDeadline,
    ];

    public static bool IsUsual(AdmissionStage stage, RefusalReason reason) => (stage switch
    {
        AdmissionStage.Connection => OfConnections,
        AdmissionStage.Hello => [RefusalReason.Silent, RefusalReason.Malformed, RefusalReason.EndpointUrlInvalid],
        AdmissionStage.Open or AdmissionStage.Renew => OfOpens,
        AdmissionStage.CreateSession => OfSessions,
        AdmissionStage.ActivateSession => OfActivations,
        AdmissionStage.Request => OfRequests,
        AdmissionStage.Publish => [RefusalReason.PublishRequests],
        AdmissionStage.HttpConnection => OfHttpConnections,
        _ =>
        [
            RefusalReason.LockedOut, RefusalReason.PendingHandshakes, RefusalReason.RequestRatePerAddress,
            RefusalReason.CredentialsRefused,
        ],
    }).AsSpan().Contains(reason);

    /// <summary>The key below <c>Limits:</c>; null where none is behind it.</summary>
    public static string? NameOf(AdmissionStage stage, RefusalReason reason) => (stage, reason) switch
    {
        (AdmissionStage.Connection, RefusalReason.QueueFull) => "MaxWaitingConnections",
        (not AdmissionStage.Connection, RefusalReason.WaitedTooLong) => "PrivateKeyDeadline",
        (AdmissionStage.Open or AdmissionStage.Renew, RefusalReason.Silent) => "OpenDeadline",
        (AdmissionStage.CreateSession or AdmissionStage.ActivateSession,
            RefusalReason.Recycled or RefusalReason.Evicted or RefusalReason.Reserved) => "MaxSessions",
        (AdmissionStage.Connection or AdmissionStage.Hello or AdmissionStage.Open or AdmissionStage.Renew,
            RefusalReason.Reserved) => "MaxConnections",
        (AdmissionStage.Request, RefusalReason.Evicted) => "MaxSubscriptions",
        (AdmissionStage.HttpConnection, RefusalReason.MaxConnections or RefusalReason.Recycled) => "MaxHttpConnections",
        (AdmissionStage.HttpConnection, RefusalReason.MaxConnectionsPerAddress) => "MaxHttpConnectionsPerAddress",
        (AdmissionStage.HttpConnection, RefusalReason.ConnectionRate) => "MaxHttpConnectionsPerSecond",
        (AdmissionStage.HttpConnection, RefusalReason.ConnectionRatePerAddress) =>
            "MaxHttpConnectionsPerSecondPerAddress",
        (AdmissionStage.HttpConnection, RefusalReason.Silent) => "HttpHeaderDeadline",
        _ => ReasonTable.LimitOf(reason),
    };

    /// <summary>The limit on all entries of a stage.</summary>
    public static string? NameOf(AdmissionStage stage) => stage switch
    {
        AdmissionStage.Connection => "MaxConnections",
        AdmissionStage.Open or AdmissionStage.Renew => "MaxPrivateKeyQueueLength",
        AdmissionStage.CreateSession or AdmissionStage.ActivateSession => "MaxSessions",
        AdmissionStage.Request => "MaxPendingRequestsPerSession",
        AdmissionStage.Publish => "MaxPublishRequestsPerSession",
        AdmissionStage.HttpConnection => "MaxHttpConnections",
        _ => null,
    };
}
