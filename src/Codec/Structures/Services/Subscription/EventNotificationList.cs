namespace Gateway.Codec.Structures;

[Structure(914, 916)]
public sealed partial class EventNotificationList : NotificationData
{
    public EventFieldList[]? Events { get; init; }
}
