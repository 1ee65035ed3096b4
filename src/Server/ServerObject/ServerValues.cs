using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Transport.Profiles;
using static Gateway.Codec.Types.StandardIds.Variables;

namespace Gateway.Server.ServerObject;

/// <summary>The values of the Server object that do not change while the server runs: its description, its offer, and
/// the limits that it really enforces. Source: Part 5 §6.3, §8.3.</summary>
internal static class ServerValues
{
    /// <summary>Only profiles that the server really supports.</summary>
    private static readonly string[] Profiles =
    [
        "http://opcfoundation.org/UA-Profile/Server/MicroEmbeddedDevice2017",
        "http://opcfoundation.org/UA-Profile/Server/StandardDataChangeSubscription2017",
        .. TransportProfiles.All.Select(profile => profile.Uri).Distinct(),
    ];

    private static string[] ProfilesOf(ServerOptions options) =>
        options.Https is null ? Profiles : [.. Profiles, .. TransportProfiles.Json.Select(static one => one.Uri)];

    /// <summary>Of ConditionType, for all its subtypes.</summary>
    private const uint SupportsFilteredRetain = 32060;

    public static (uint NodeId, Variant Value)[] Of(
        ServerOptions options, PublishLimits publish, IReadOnlyList<string> locales, ServerLifetime lifetime)
    {
        var build = BuildInfoOf(options);
        return
        [
            (Server_ServerArray, Strings(options.ApplicationUri)),
            (Server_ServerStatus_StartTime, new Variant(lifetime.StartTime)),
            (Server_ServerStatus_BuildInfo, Variant.FromStructure(build)),
            (Server_ServerStatus_BuildInfo_ProductName, new Variant(build.ProductName)),
            (Server_ServerStatus_BuildInfo_ProductUri, new Variant(build.ProductUri)),
            (Server_ServerStatus_BuildInfo_ManufacturerName, new Variant(build.ManufacturerName)),
            (Server_ServerStatus_BuildInfo_SoftwareVersion, new Variant(build.SoftwareVersion)),
            (Server_ServerStatus_BuildInfo_BuildNumber, new Variant(build.BuildNumber)),
            (Server_ServerStatus_BuildInfo_BuildDate, new Variant(build.BuildDate)),
            (Server_Auditing, new Variant(true)),
            (SupportsFilteredRetain, new Variant(true)),
            (Server_ServerRedundancy_RedundancySupport, new Variant((int)RedundancySupport.None)),
            (Server_ServerCapabilities_ServerProfileArray, Strings(ProfilesOf(options))),
            (Server_ServerCapabilities_LocaleIdArray,
                Strings([.. locales.Prepend("en").Distinct(StringComparer.OrdinalIgnoreCase)])),
            // 0 is among them: every change. Above it lies MinSamplingIntervalMs. Source: Part 5 §6.3.2.
            (Server_ServerCapabilities_MinSupportedSampleRate, new Variant(0.0)),
            (Server_ServerCapabilities_MaxQueryContinuationPoints, new Variant((ushort)0)),
            (Server_ServerCapabilities_MaxHistoryContinuationPoints, new Variant((ushort)0)),
            .. LimitsOf(options.Limits, publish),
        ];
    }

    /// <summary>Those that a limit stands behind.</summary>
    public static (uint NodeId, Variant Value)[] LimitsOf(ServerLimits limits, PublishLimits publish) =>
        [.. Capacities(limits, publish), .. OperationLimits(limits, publish)];

    public static BuildInfo BuildInfoOf(ServerOptions options) => new()
    {
        ProductUri = options.ProductUri,
        ManufacturerName = options.ManufacturerName,
        ProductName = options.ApplicationName,
        SoftwareVersion = options.SoftwareVersion,
        BuildNumber = options.BuildNumber,
        BuildDate = options.BuildDate,
    };

    private static (uint NodeId, Variant Value)[] Capacities(ServerLimits limits, PublishLimits publish) =>
    [
        (Server_ServerCapabilities_MaxBrowseContinuationPoints,
            new Variant((ushort)limits.MaxBrowseContinuationPoints)),
        (Server_ServerCapabilities_MaxArrayLength, UInt32(limits.MaxArrayLength)),
        (Server_ServerCapabilities_MaxStringLength, UInt32(limits.MaxStringLengthBytes)),
        (Server_ServerCapabilities_MaxByteStringLength, UInt32(limits.MaxByteStringLengthBytes)),
        (Server_ServerCapabilities_MaxSessions, UInt32(limits.MaxSessions)),
        (Server_ServerCapabilities_MaxSubscriptions, UInt32(publish.MaxSubscriptions)),
        (Server_ServerCapabilities_MaxSubscriptionsPerSession, UInt32(publish.MaxSubscriptionsPerSession)),
        (Server_ServerCapabilities_MaxMonitoredItems, UInt32(publish.MaxMonitoredItems)),
        (Server_ServerCapabilities_MaxMonitoredItemsPerSubscription,
            UInt32(publish.MaxMonitoredItemsPerSubscription)),
        (Server_ServerCapabilities_MaxMonitoredItemsQueueSize, UInt32(publish.MaxMonitoredItemsQueueSize)),
        (Server_ServerCapabilities_MaxSelectClauseParameters, UInt32(publish.MaxEventSelectClauses)),
        (Server_ServerCapabilities_MaxWhereClauseParameters, UInt32(publish.MaxEventWhereElements)),
    ];

    private static (uint NodeId, Variant Value)[] OperationLimits(ServerLimits limits, PublishLimits publish) =>
    [
        (Server_ServerCapabilities_OperationLimits_MaxNodesPerRead, UInt32(limits.MaxNodesPerRead)),
        (Server_ServerCapabilities_OperationLimits_MaxNodesPerWrite, UInt32(limits.MaxNodesPerWrite)),
        (Server_ServerCapabilities_OperationLimits_MaxNodesPerMethodCall, UInt32(limits.MaxNodesPerMethodCall)),
        (Server_ServerCapabilities_OperationLimits_MaxNodesPerBrowse, UInt32(limits.MaxNodesPerBrowse)),
        (Server_ServerCapabilities_OperationLimits_MaxNodesPerRegisterNodes, UInt32(limits.MaxNodesPerRegisterNodes)),
        (Server_ServerCapabilities_OperationLimits_MaxNodesPerTranslateBrowsePathsToNodeIds,
            UInt32(limits.MaxNodesPerTranslateBrowsePathsToNodeIds)),
        (Server_ServerCapabilities_OperationLimits_MaxMonitoredItemsPerCall, UInt32(publish.MaxMonitoredItemsPerCall)),
    ];

    private static Variant UInt32(int value) => new((uint)value);

    private static Variant Strings(params string[] values) => Variant.FromArray(BuiltInType.String, values);
}
