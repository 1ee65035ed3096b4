using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Publish.Tests.Support;

/// <summary>What came back for a Publish request: a response, or a fault's status.</summary>
internal sealed record Answer(uint RequestId, PublishResponse? Response, StatusCode Fault)
{
    public bool IsKeepAlive => Response is { NotificationMessage.NotificationData: null or { Length: 0 } };

    public uint SequenceNumber => Response!.NotificationMessage.SequenceNumber;

    public uint SubscriptionId => Response!.SubscriptionId;

    public MonitoredItemNotification[] Changes => Notification<DataChangeNotification>()?.MonitoredItems ?? [];

    public StatusCode? StatusChange => Notification<StatusChangeNotification>()?.Status;

    private T? Notification<T>()
        where T : class => Response?.NotificationMessage.NotificationData is [var only, ..] ? only.Body as T : null;
}
