using System.Collections.Frozen;
using Gateway.Admission;
using Gateway.Host.Tokens;
using Gateway.Publish;
using Gateway.PubSub;
using Gateway.Rest;
using Gateway.Server;
using Gateway.Sources.OpcUa;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;

namespace Gateway.Host.Configuration;

/// <summary>The keys that a running gateway takes over; the others are as they were at the start. A limit is one of
/// them where its part looks at it each time. Those below are copied when a part is made: sizes of what is rented then,
/// rates and timers that run already, and what a peer is told once.</summary>
internal static class LiveKeys
{
    private const string PubSub = "PubSub";

    private static readonly string[] Sections =
    [
        "Users", "Anonymous", "Pki:TrustedUserRoles", "Upstreams", "Log:Level", "Log:Levels", "PubSub:DataSets",
        "PubSub:Connections",
    ];

    private static readonly FrozenSet<string> FixedLimits = FrozenSet.ToFrozenSet<string>(
    [
        nameof(TransportLimits.MaxMessageSizeBytes), nameof(TransportLimits.MaxCertificateCacheBytes),
        nameof(TransportLimits.HelloDeadline), nameof(TransportLimits.OpenDeadline),
        nameof(TransportLimits.ChunkDeadline), nameof(TransportLimits.WriteDeadline),
        nameof(TransportLimits.InactivityTimeout), nameof(TransportLimits.MinTokenLifetime),
        nameof(TransportLimits.MemoryBudgetBytes), nameof(TransportLimits.MaxConnections),
        nameof(TransportLimits.FailureAnswerStep), nameof(TransportLimits.MaxHeldFailures),
        nameof(TransportLimits.PrivateKeyWorkers), nameof(TransportLimits.MaxPrivateKeyQueueLength),
        nameof(TransportLimits.PrivateKeyDeadline),
        nameof(HttpLimits.HttpHeaderDeadline), nameof(HttpLimits.HttpKeepAliveTime),
        nameof(HttpLimits.MaxHttpRequestLineBytes), nameof(HttpLimits.MaxHttpHeaderBytes),
        nameof(HttpLimits.MaxHttpHeaders), nameof(HttpLimits.MaxHttpRequestsPerConnection),
        nameof(HttpLimits.MaxHttpBodyBytes), nameof(HttpLimits.MinHttpBytesPerSecond),
        nameof(HttpLimits.HttpGracePeriod),
        nameof(RestLimits.MaxHttpStreamsBytes), nameof(RestLimits.MaxHttpBodiesBytes),
        nameof(RestLimits.MaxHttpAnswersBytes),
        nameof(ServerLimits.MaxTrackedLogins), nameof(ServerLimits.MaxTokenBytes),
        nameof(ServerLimits.MaxRequestMessageSizeBytes), nameof(ServerLimits.RequestWorkers),
        nameof(ServerLimits.MaxArrayLength), nameof(ServerLimits.MaxStringLengthBytes),
        nameof(ServerLimits.MaxByteStringLengthBytes), nameof(ServerLimits.MaxDecodedBytesPerRequest),
        nameof(ServerLimits.MaxDecodedBytes),
        nameof(PublishLimits.PublishShards), nameof(PublishLimits.MaxQueuedValueBytes),
        nameof(PublishLimits.MaxPollsPerTurn), nameof(PublishLimits.MaxPendingChangesPerShard),
        nameof(PublishLimits.DurableSaveInterval),
        nameof(AdmissionLimits.MaxConnectionsPerSecond), nameof(AdmissionLimits.MaxConnectionsPerSecondPerAddress),
        nameof(AdmissionLimits.MaxHttpConnections), nameof(AdmissionLimits.MaxHttpConnectionsPerSecond),
        nameof(AdmissionLimits.MaxHttpConnectionsPerSecondPerAddress),
        nameof(AdmissionLimits.MaxHttpRequestsPerSecondPerAddress), nameof(AdmissionLimits.MaxWaitingConnections),
        nameof(AdmissionLimits.DoorPatience), nameof(AdmissionLimits.MaxKnownCertificates),
        nameof(AdmissionLimits.MaxTrackedClients), nameof(AdmissionLimits.MaxRetryAfter),
        nameof(AdmissionLimits.MaxDecisions),
        nameof(UpstreamLimits.MaxUpstreamNamespaces), nameof(UpstreamLimits.MaxUpstreamEndpoints),
        nameof(UpstreamLimits.UpstreamRequestTimeout),
        nameof(TokenLimits.MaxTokenKeysBytes), nameof(TokenLimits.MaxTokenKeys), nameof(TokenLimits.MaxKnownTokens),
        nameof(TokenLimits.TokenKeysInterval), nameof(TokenLimits.TokenKeysMinInterval),
        nameof(TokenLimits.TokenKeysDeadline),
        .. typeof(PubSubLimits).GetProperties().Select(static one => one.Name),
        .. typeof(OtlpLimits).GetProperties().Select(static one => one.Name),
    ],
    StringComparer.OrdinalIgnoreCase);

    /// <param name="key">A key or its pattern: <c>Upstreams:0:Name</c>, <c>Upstreams:N:Name</c>.</param>
    public static bool Contains(string key) =>
        key.StartsWith(LimitsReader.Section + ":", StringComparison.OrdinalIgnoreCase)
            ? IsLimit(key[(LimitsReader.Section.Length + 1)..])
            : Array.Exists(Sections, section => key.StartsWith(section, StringComparison.OrdinalIgnoreCase) &&
                (key.Length == section.Length || key[section.Length] == ':'));

    /// <summary>The same for one gateway: what publishes is there only where something was published at the start.
    /// </summary>
    /// <param name="key">A key or its pattern.</param>
    /// <param name="start">Its configuration at the start.</param>
    public static bool Contains(string key, ConfigurationLayers start) => Contains(key) &&
        (!key.StartsWith(PubSub, StringComparison.OrdinalIgnoreCase) || start.HasAny("PubSub:Connections"));

    /// <param name="name">Of a limit, without its section.</param>
    public static bool IsLimit(string name) => !FixedLimits.Contains(name);
}
