using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Rest.Services;

/// <summary>All services of the OpenAPI mapping, also those that the gateway does not have: these answer
/// Bad_ServiceUnsupported. Source: Part 6 §G.3.</summary>
internal static class ServiceRoutes
{
    public static IReadOnlyList<ServiceRoute> All { get; } =
    [
        new ServiceRoute.Of<ReadRequest, ReadResponse>("read", static (of, _) => of.MaxNodesPerRead),
        new ServiceRoute.Of<WriteRequest, WriteResponse>("write", static (of, _) => of.MaxNodesPerWrite),
        new ServiceRoute.Of<CallRequest, CallResponse>("call", static (of, _) => of.MaxNodesPerMethodCall),
        new ServiceRoute.Of<HistoryReadRequest, HistoryReadResponse>("historyread"),
        new ServiceRoute.Of<HistoryUpdateRequest, HistoryUpdateResponse>("historyupdate"),
        new ServiceRoute.Of<BrowseRequest, BrowseResponse>("browse", static (of, _) => of.MaxNodesPerBrowse),
        new ServiceRoute.Of<BrowseNextRequest, BrowseNextResponse>(
            "browsenext", static (of, _) => of.MaxNodesPerBrowse),
        new ServiceRoute.Of<TranslateBrowsePathsToNodeIdsRequest, TranslateBrowsePathsToNodeIdsResponse>(
            "translate", static (of, _) => of.MaxNodesPerTranslateBrowsePathsToNodeIds),
        new ServiceRoute.Of<FindServersRequest, FindServersResponse>("findservers"),
        new ServiceRoute.Of<GetEndpointsRequest, GetEndpointsResponse>("getendpoints"),
        new ServiceRoute.Of<CreateSessionRequest, CreateSessionResponse>("createsession"),
        new ServiceRoute.Of<ActivateSessionRequest, ActivateSessionResponse>("activatesession"),
        new ServiceRoute.Of<CloseSessionRequest, CloseSessionResponse>("closesession"),
        new ServiceRoute.Of<CancelRequest, CancelResponse>("cancel"),
        new ServiceRoute.Of<RegisterNodesRequest, RegisterNodesResponse>(
            "registernodes", static (of, _) => of.MaxNodesPerRegisterNodes),
        new ServiceRoute.Of<UnregisterNodesRequest, UnregisterNodesResponse>(
            "unregisternodes", static (of, _) => of.MaxNodesPerRegisterNodes),
        new ServiceRoute.Of<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(
            "createmonitoreditems", static (_, of) => of.MaxMonitoredItemsPerCall),
        new ServiceRoute.Of<ModifyMonitoredItemsRequest, ModifyMonitoredItemsResponse>(
            "modifymonitoreditems", static (_, of) => of.MaxMonitoredItemsPerCall),
        new ServiceRoute.Of<SetMonitoringModeRequest, SetMonitoringModeResponse>(
            "setmonitoringmode", static (_, of) => of.MaxMonitoredItemsPerCall),
        new ServiceRoute.Of<SetTriggeringRequest, SetTriggeringResponse>(
            "settriggering", static (_, of) => of.MaxMonitoredItemsPerCall),
        new ServiceRoute.Of<DeleteMonitoredItemsRequest, DeleteMonitoredItemsResponse>(
            "deletemonitoreditems", static (_, of) => of.MaxMonitoredItemsPerCall),
        new ServiceRoute.Of<CreateSubscriptionRequest, CreateSubscriptionResponse>("createsubscription"),
        new ServiceRoute.Of<ModifySubscriptionRequest, ModifySubscriptionResponse>("modifysubscription"),
        new ServiceRoute.Of<SetPublishingModeRequest, SetPublishingModeResponse>(
            "setpublishingmode", static (of, _) => of.MaxSubscriptionsPerCall),
        new ServiceRoute.Of<PublishRequest, PublishResponse>(
            "publish", static (_, of) => of.MaxAcknowledgementsPerPublish),
        new ServiceRoute.Of<RepublishRequest, RepublishResponse>("republish"),
        new ServiceRoute.Of<TransferSubscriptionsRequest, TransferSubscriptionsResponse>(
            "transfersubscriptions", static (of, _) => of.MaxSubscriptionsPerCall),
        new ServiceRoute.Of<DeleteSubscriptionsRequest, DeleteSubscriptionsResponse>(
            "deletesubscriptions", static (of, _) => of.MaxSubscriptionsPerCall),
    ];

    private static readonly Dictionary<uint, ServiceRoute> ById = All
        .SelectMany(static route => new[] { (route.RequestIds.DataType, route), (route.RequestIds.Encoding, route) })
        .ToDictionary(static one => one.Item1, static one => one.route);

    /// <summary>By the DataType of its request, or the Default Binary encoding of that; null: there is none.</summary>
    public static ServiceRoute? Find(NodeId request) =>
        request is { IdType: IdType.Numeric, NamespaceIndex: 0 } ? ById.GetValueOrDefault(request.Numeric) : null;
}
