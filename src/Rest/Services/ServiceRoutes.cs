using Gateway.Codec.Structures;

namespace Gateway.Rest.Services;

/// <summary>All services of the OpenAPI mapping, also those that the gateway does not have: these answer
/// Bad_ServiceUnsupported. Source: Part 6 §G.3.</summary>
internal static class ServiceRoutes
{
    public static IReadOnlyList<ServiceRoute> All { get; } =
    [
        new ServiceRoute.Of<ReadRequest, ReadResponse>("read"),
        new ServiceRoute.Of<WriteRequest, WriteResponse>("write"),
        new ServiceRoute.Of<CallRequest, CallResponse>("call"),
        new ServiceRoute.Of<HistoryReadRequest, HistoryReadResponse>("historyread"),
        new ServiceRoute.Of<HistoryUpdateRequest, HistoryUpdateResponse>("historyupdate"),
        new ServiceRoute.Of<BrowseRequest, BrowseResponse>("browse"),
        new ServiceRoute.Of<BrowseNextRequest, BrowseNextResponse>("browsenext"),
        new ServiceRoute.Of<TranslateBrowsePathsToNodeIdsRequest, TranslateBrowsePathsToNodeIdsResponse>("translate"),
        new ServiceRoute.Of<FindServersRequest, FindServersResponse>("findservers"),
        new ServiceRoute.Of<GetEndpointsRequest, GetEndpointsResponse>("getendpoints"),
        new ServiceRoute.Of<CreateSessionRequest, CreateSessionResponse>("createsession"),
        new ServiceRoute.Of<ActivateSessionRequest, ActivateSessionResponse>("activatesession"),
        new ServiceRoute.Of<CloseSessionRequest, CloseSessionResponse>("closesession"),
        new ServiceRoute.Of<CancelRequest, CancelResponse>("cancel"),
        new ServiceRoute.Of<RegisterNodesRequest, RegisterNodesResponse>("registernodes"),
        new ServiceRoute.Of<UnregisterNodesRequest, UnregisterNodesResponse>("unregisternodes"),
        new ServiceRoute.Of<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>("createmonitoreditems"),
        new ServiceRoute.Of<ModifyMonitoredItemsRequest, ModifyMonitoredItemsResponse>("modifymonitoreditems"),
        new ServiceRoute.Of<SetMonitoringModeRequest, SetMonitoringModeResponse>("setmonitoringmode"),
        new ServiceRoute.Of<SetTriggeringRequest, SetTriggeringResponse>("settriggering"),
        new ServiceRoute.Of<DeleteMonitoredItemsRequest, DeleteMonitoredItemsResponse>("deletemonitoreditems"),
        new ServiceRoute.Of<CreateSubscriptionRequest, CreateSubscriptionResponse>("createsubscription"),
        new ServiceRoute.Of<ModifySubscriptionRequest, ModifySubscriptionResponse>("modifysubscription"),
        new ServiceRoute.Of<SetPublishingModeRequest, SetPublishingModeResponse>("setpublishingmode"),
        new ServiceRoute.Of<PublishRequest, PublishResponse>("publish"),
        new ServiceRoute.Of<RepublishRequest, RepublishResponse>("republish"),
        new ServiceRoute.Of<TransferSubscriptionsRequest, TransferSubscriptionsResponse>("transfersubscriptions"),
        new ServiceRoute.Of<DeleteSubscriptionsRequest, DeleteSubscriptionsResponse>("deletesubscriptions"),
    ];
}
