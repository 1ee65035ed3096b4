using Gateway.Publish.Items;

namespace Gateway.Publish.Notifications;

/// <summary>Where a subscription's notifications go. Implementations are structs, so that the call for each
/// notification is direct. Called under the shard's lock; must not block.</summary>
internal interface INotificationSink
{
    /// <summary>False: the notification stays in its queue, and no other is offered now.</summary>
    bool HasRoomFor(in QueuedValue next);

    /// <summary>The next one, for which there was room. Takes over the reference, but not where it throws.</summary>
    void Take(MonitoredItem item, in QueuedValue next);
}
