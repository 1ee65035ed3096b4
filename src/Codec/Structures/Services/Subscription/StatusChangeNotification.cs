using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(818, 820)]
public sealed partial class StatusChangeNotification : NotificationData
{
    public StatusCode Status { get; init; }

    public DiagnosticInfo? DiagnosticInfo { get; init; }
}
