using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(809, 811)]
public sealed partial class DataChangeNotification : NotificationData
{
    public MonitoredItemNotification[]? MonitoredItems { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
