using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(874, 876)]
public sealed partial class SubscriptionDiagnosticsDataType
{
    public NodeId SessionId { get; init; }

    public uint SubscriptionId { get; init; }

    public byte Priority { get; init; }

    public double PublishingInterval { get; init; }

    public uint MaxKeepAliveCount { get; init; }

    public uint MaxLifetimeCount { get; init; }

    public uint MaxNotificationsPerPublish { get; init; }

    public bool PublishingEnabled { get; init; }

    public uint ModifyCount { get; init; }

    public uint EnableCount { get; init; }

    public uint DisableCount { get; init; }

    public uint RepublishRequestCount { get; init; }

    public uint RepublishMessageRequestCount { get; init; }

    public uint RepublishMessageCount { get; init; }

    public uint TransferRequestCount { get; init; }

    public uint TransferredToAltClientCount { get; init; }

    public uint TransferredToSameClientCount { get; init; }

    public uint PublishRequestCount { get; init; }

    public uint DataChangeNotificationsCount { get; init; }

    public uint EventNotificationsCount { get; init; }

    public uint NotificationsCount { get; init; }

    public uint LatePublishRequestCount { get; init; }

    public uint CurrentKeepAliveCount { get; init; }

    public uint CurrentLifetimeCount { get; init; }

    public uint UnacknowledgedMessageCount { get; init; }

    public uint DiscardedMessageCount { get; init; }

    public uint MonitoredItemCount { get; init; }

    public uint DisabledMonitoredItemCount { get; init; }

    public uint MonitoringQueueOverflowCount { get; init; }

    public uint NextSequenceNumber { get; init; }

    public uint EventQueueOverflowCount { get; init; }
}
