using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(865, 867)]
public sealed partial class SessionDiagnosticsDataType
{
    public NodeId SessionId { get; init; }

    public string? SessionName { get; init; }

    public ApplicationDescription ClientDescription { get; init; } = new();

    public string? ServerUri { get; init; }

    public string? EndpointUrl { get; init; }

    public string?[]? LocaleIds { get; init; }

    public double ActualSessionTimeout { get; init; }

    public uint MaxResponseMessageSize { get; init; }

    public DateTime ClientConnectionTime { get; init; }

    public DateTime ClientLastContactTime { get; init; }

    public uint CurrentSubscriptionsCount { get; init; }

    public uint CurrentMonitoredItemsCount { get; init; }

    public uint CurrentPublishRequestsInQueue { get; init; }

    public ServiceCounterDataType TotalRequestCount { get; init; } = new();

    public uint UnauthorizedRequestCount { get; init; }

    public ServiceCounterDataType ReadCount { get; init; } = new();

    public ServiceCounterDataType HistoryReadCount { get; init; } = new();

    public ServiceCounterDataType WriteCount { get; init; } = new();

    public ServiceCounterDataType HistoryUpdateCount { get; init; } = new();

    public ServiceCounterDataType CallCount { get; init; } = new();

    public ServiceCounterDataType CreateMonitoredItemsCount { get; init; } = new();

    public ServiceCounterDataType ModifyMonitoredItemsCount { get; init; } = new();

    public ServiceCounterDataType SetMonitoringModeCount { get; init; } = new();

    public ServiceCounterDataType SetTriggeringCount { get; init; } = new();

    public ServiceCounterDataType DeleteMonitoredItemsCount { get; init; } = new();

    public ServiceCounterDataType CreateSubscriptionCount { get; init; } = new();

    public ServiceCounterDataType ModifySubscriptionCount { get; init; } = new();

    public ServiceCounterDataType SetPublishingModeCount { get; init; } = new();

    public ServiceCounterDataType PublishCount { get; init; } = new();

    public ServiceCounterDataType RepublishCount { get; init; } = new();

    public ServiceCounterDataType TransferSubscriptionsCount { get; init; } = new();

    public ServiceCounterDataType DeleteSubscriptionsCount { get; init; } = new();

    public ServiceCounterDataType AddNodesCount { get; init; } = new();

    public ServiceCounterDataType AddReferencesCount { get; init; } = new();

    public ServiceCounterDataType DeleteNodesCount { get; init; } = new();

    public ServiceCounterDataType DeleteReferencesCount { get; init; } = new();

    public ServiceCounterDataType BrowseCount { get; init; } = new();

    public ServiceCounterDataType BrowseNextCount { get; init; } = new();

    public ServiceCounterDataType TranslateBrowsePathsToNodeIdsCount { get; init; } = new();

    public ServiceCounterDataType QueryFirstCount { get; init; } = new();

    public ServiceCounterDataType QueryNextCount { get; init; } = new();

    public ServiceCounterDataType RegisterNodesCount { get; init; } = new();

    public ServiceCounterDataType UnregisterNodesCount { get; init; } = new();
}
