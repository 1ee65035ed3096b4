using Gateway.Codec.Structures;
using Gateway.Operations.Access;
using Gateway.Server.Sessions;

namespace Gateway.Server.Diagnostics;

/// <summary>The diagnostics of one session, computed when a client reads them. Source: Part 5 §12.11, §12.12.</summary>
internal sealed class SessionDiagnostics(ServerOptions options, TimeProvider clock)
{
    public SessionDiagnosticsDataType Make(Session session)
    {
        var (counts, publishing, client) = (session.Counts, session.Publishing, session.Client);
        return new SessionDiagnosticsDataType
        {
            SessionId = session.SessionId,
            SessionName = session.Name,
            ClientDescription = client.ToDescription(),
            ServerUri = client.ServerUri ?? options.ApplicationUri,
            EndpointUrl = client.EndpointUrl,
            LocaleIds = session.LocaleIds,
            ActualSessionTimeout = session.Timeout.TotalMilliseconds,
            MaxResponseMessageSize = session.MaxResponseMessageSize,
            ClientConnectionTime = session.CreatedAt,
            ClientLastContactTime = clock.GetUtcNow().UtcDateTime - clock.GetElapsedTime(session.LastActivity),
            CurrentSubscriptionsCount = (uint)(publishing?.SubscriptionCount ?? 0),
            CurrentMonitoredItemsCount = (uint)(publishing?.MonitoredItemCount ?? 0),
            CurrentPublishRequestsInQueue = (uint)(publishing?.HeldPublishRequests ?? 0),
            TotalRequestCount = counts.Total,
            UnauthorizedRequestCount = counts.Unauthorized,
            ReadCount = counts.Of(CountedService.Read),
            WriteCount = counts.Of(CountedService.Write),
            CallCount = counts.Of(CountedService.Call),
            CreateMonitoredItemsCount = counts.Of(CountedService.CreateMonitoredItems),
            ModifyMonitoredItemsCount = counts.Of(CountedService.ModifyMonitoredItems),
            SetMonitoringModeCount = counts.Of(CountedService.SetMonitoringMode),
            SetTriggeringCount = counts.Of(CountedService.SetTriggering),
            DeleteMonitoredItemsCount = counts.Of(CountedService.DeleteMonitoredItems),
            CreateSubscriptionCount = counts.Of(CountedService.CreateSubscription),
            ModifySubscriptionCount = counts.Of(CountedService.ModifySubscription),
            SetPublishingModeCount = counts.Of(CountedService.SetPublishingMode),
            PublishCount = counts.Of(CountedService.Publish, publishing?.RefusedPublishRequests ?? 0),
            RepublishCount = counts.Of(CountedService.Republish),
            TransferSubscriptionsCount = counts.Of(CountedService.TransferSubscriptions),
            DeleteSubscriptionsCount = counts.Of(CountedService.DeleteSubscriptions),
            BrowseCount = counts.Of(CountedService.Browse),
            BrowseNextCount = counts.Of(CountedService.BrowseNext),
            TranslateBrowsePathsToNodeIdsCount = counts.Of(CountedService.TranslateBrowsePathsToNodeIds),
            RegisterNodesCount = counts.Of(CountedService.RegisterNodes),
            UnregisterNodesCount = counts.Of(CountedService.UnregisterNodes),
        };
    }

    public static SessionSecurityDiagnosticsDataType MakeSecurity(Session session)
    {
        var (channel, history) = (session.Channel.Connection, session.UserHistory);
        var isHttp = session.Channel.User is not null;
        return new SessionSecurityDiagnosticsDataType
        {
            SessionId = session.SessionId,
            ClientUserIdOfSession = history[0],
            ClientUserIdHistory = history,
            AuthenticationMechanism = (session.Identity?.Kind ?? UserKind.Anonymous).ToString(),
            Encoding = isHttp ? "UA JSON" : "UA Binary",
            TransportProtocol = channel.Profile.Scheme,
            SecurityMode = channel.SecurityMode,
            SecurityPolicyUri = channel.Policy.Uri,
            ClientCertificate = channel.PeerCertificate.ToArray(),
        };
    }
}
