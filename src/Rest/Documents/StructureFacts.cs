using Gateway.Codec.Structures;

namespace Gateway.Rest.Documents;

/// <summary>Facts that the declarations of service messages leave open: the types that an ExtensionObject of a service
/// may hold, and the limits on arrays of requests.</summary>
internal static class StructureFacts
{
    /// <summary>Source: Part 4 §7.3, "Extensible Parameter", and the parameters of that kind.</summary>
    private static readonly Dictionary<(Type, string), Type> Bases = new()
    {
        [(typeof(ActivateSessionRequest), nameof(ActivateSessionRequest.UserIdentityToken))] =
            typeof(UserIdentityToken),
        [(typeof(MonitoringParameters), nameof(MonitoringParameters.Filter))] = typeof(MonitoringFilter),
        [(typeof(MonitoredItemCreateResult), nameof(MonitoredItemCreateResult.FilterResult))] =
            typeof(MonitoringFilterResult),
        [(typeof(MonitoredItemModifyResult), nameof(MonitoredItemModifyResult.FilterResult))] =
            typeof(MonitoringFilterResult),
        [(typeof(ContentFilterElement), nameof(ContentFilterElement.FilterOperands))] = typeof(FilterOperand),
        [(typeof(NotificationMessage), nameof(NotificationMessage.NotificationData))] = typeof(NotificationData),
        [(typeof(HistoryReadRequest), nameof(HistoryReadRequest.HistoryReadDetails))] = typeof(HistoryReadDetails),
        [(typeof(HistoryUpdateRequest), nameof(HistoryUpdateRequest.HistoryUpdateDetails))] =
            typeof(HistoryUpdateDetails),
        [(typeof(HistoryReadResult), nameof(HistoryReadResult.HistoryData))] = typeof(HistoryData),
    };

    /// <summary>Abstract bases in the standard's model; all others may stand for themselves.</summary>
    private static readonly HashSet<Type> Abstract =
    [
        typeof(UserIdentityToken), typeof(MonitoringFilter), typeof(MonitoringFilterResult), typeof(FilterOperand),
        typeof(NotificationData), typeof(HistoryReadDetails), typeof(HistoryUpdateDetails),
    ];

    private static readonly Dictionary<(Type, string), string> Limits = new()
    {
        [(typeof(ReadRequest), nameof(ReadRequest.NodesToRead))] = nameof(Server.ServerLimits.MaxNodesPerRead),
        [(typeof(WriteRequest), nameof(WriteRequest.NodesToWrite))] = nameof(Server.ServerLimits.MaxNodesPerWrite),
        [(typeof(CallRequest), nameof(CallRequest.MethodsToCall))] =
            nameof(Server.ServerLimits.MaxNodesPerMethodCall),
        [(typeof(BrowseRequest), nameof(BrowseRequest.NodesToBrowse))] =
            nameof(Server.ServerLimits.MaxNodesPerBrowse),
        [(typeof(TranslateBrowsePathsToNodeIdsRequest), nameof(TranslateBrowsePathsToNodeIdsRequest.BrowsePaths))] =
            nameof(Server.ServerLimits.MaxNodesPerTranslateBrowsePathsToNodeIds),
        [(typeof(RegisterNodesRequest), nameof(RegisterNodesRequest.NodesToRegister))] =
            nameof(Server.ServerLimits.MaxNodesPerRegisterNodes),
        [(typeof(UnregisterNodesRequest), nameof(UnregisterNodesRequest.NodesToUnregister))] =
            nameof(Server.ServerLimits.MaxNodesPerRegisterNodes),
        [(typeof(CreateMonitoredItemsRequest), nameof(CreateMonitoredItemsRequest.ItemsToCreate))] = MaxItems,
        [(typeof(ModifyMonitoredItemsRequest), nameof(ModifyMonitoredItemsRequest.ItemsToModify))] = MaxItems,
        [(typeof(SetMonitoringModeRequest), nameof(SetMonitoringModeRequest.MonitoredItemIds))] = MaxItems,
        [(typeof(DeleteMonitoredItemsRequest), nameof(DeleteMonitoredItemsRequest.MonitoredItemIds))] = MaxItems,
        [(typeof(DeleteSubscriptionsRequest), nameof(DeleteSubscriptionsRequest.SubscriptionIds))] = MaxSubscriptions,
        [(typeof(SetPublishingModeRequest), nameof(SetPublishingModeRequest.SubscriptionIds))] = MaxSubscriptions,
        [(typeof(TransferSubscriptionsRequest), nameof(TransferSubscriptionsRequest.SubscriptionIds))] =
            MaxSubscriptions,
    };

    private const string MaxItems = nameof(Publish.PublishLimits.MaxMonitoredItemsPerCall);
    private const string MaxSubscriptions = nameof(Server.ServerLimits.MaxSubscriptionsPerCall);

    /// <summary>Null: the field may hold any structure.</summary>
    public static Type? BaseOf(Type structure, string field) => Bases.GetValueOrDefault((structure, field));

    public static bool IsAbstract(Type structure) => Abstract.Contains(structure);

    /// <summary>Null: none but those of decoding.</summary>
    public static string? LimitOf(Type structure, string field) => Limits.GetValueOrDefault((structure, field));
}
