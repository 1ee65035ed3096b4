using Gateway.Codec.Structures;
using Gateway.Server.Dispatch;

namespace Gateway.Server.Services;

/// <summary>The services on offer: a row for each request, with its access and its handler.</summary>
internal static class ServiceTable
{
    public static ServiceLookup Of(
        DiscoveryService discovery, SessionService sessions, ReadService read, WriteService write, ViewService view,
        MethodService methods, SubscriptionService subscriptions, MonitoredItemService items)
    {
        var entries = new Dictionary<uint, ServiceEntry>();
        Add<FindServersRequest>(entries, ServiceAccess.Discovery, discovery.FindServers);
        Add<GetEndpointsRequest>(entries, ServiceAccess.Discovery, discovery.GetEndpoints);
        Add<CreateSessionRequest>(entries, ServiceAccess.Channel, sessions.CreateSession);
        Add<ActivateSessionRequest>(entries, ServiceAccess.Channel, sessions.ActivateSession);
        Add<CloseSessionRequest>(entries, ServiceAccess.Channel, sessions.CloseSession);
        Add<CancelRequest>(entries, ServiceAccess.Session, sessions.Cancel);
        Add<ReadRequest>(entries, ServiceAccess.Caller, read.Read);
        Add<WriteRequest>(entries, ServiceAccess.Caller, write.Write);
        Add<BrowseRequest>(entries, ServiceAccess.Caller, view.Browse);
        Add<BrowseNextRequest>(entries, ServiceAccess.Caller, view.BrowseNext);
        Add<TranslateBrowsePathsToNodeIdsRequest>(
            entries, ServiceAccess.Caller, view.TranslateBrowsePathsToNodeIds);
        Add<RegisterNodesRequest>(entries, ServiceAccess.Session, view.RegisterNodes);
        Add<UnregisterNodesRequest>(entries, ServiceAccess.Session, view.UnregisterNodes);
        Add<CallRequest>(entries, ServiceAccess.Caller, methods.Call);
        Add<CreateSubscriptionRequest>(entries, ServiceAccess.Session, SubscriptionService.CreateSubscription);
        Add<ModifySubscriptionRequest>(entries, ServiceAccess.Session, SubscriptionService.ModifySubscription);
        Add<SetPublishingModeRequest>(entries, ServiceAccess.Session, subscriptions.SetPublishingMode);
        Add<DeleteSubscriptionsRequest>(entries, ServiceAccess.Session, subscriptions.DeleteSubscriptions);
        Add<TransferSubscriptionsRequest>(entries, ServiceAccess.Session, subscriptions.TransferSubscriptions);
        Add<PublishRequest>(entries, ServiceAccess.Session, subscriptions.Publish);
        Add<RepublishRequest>(entries, ServiceAccess.Session, SubscriptionService.Republish);
        Add<CreateMonitoredItemsRequest>(entries, ServiceAccess.Session, items.CreateMonitoredItems);
        Add<ModifyMonitoredItemsRequest>(entries, ServiceAccess.Session, items.ModifyMonitoredItems);
        Add<SetMonitoringModeRequest>(entries, ServiceAccess.Session, items.SetMonitoringMode);
        Add<SetTriggeringRequest>(entries, ServiceAccess.Session, items.SetTriggering);
        Add<DeleteMonitoredItemsRequest>(entries, ServiceAccess.Session, items.DeleteMonitoredItems);
        return new ServiceLookup(entries);
    }

    private static void Add<T>(Dictionary<uint, ServiceEntry> entries, ServiceAccess access, ServiceHandler handler)
        where T : IServiceRequest, new()
    {
        const string suffix = "Request";
        entries.Add(new T().BinaryEncodingId, new ServiceEntry(typeof(T).Name[..^suffix.Length], access, handler));
    }
}
