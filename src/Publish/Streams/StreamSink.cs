using Gateway.Publish.Items;
using Gateway.Publish.Notifications;

namespace Gateway.Publish.Streams;

/// <summary>The sink of a stream: puts notifications into a batch, each with its queue's reference.</summary>
internal readonly struct StreamSink(StreamBatch batch) : INotificationSink
{
    public bool HasRoomFor(in QueuedValue next) => true;

    public void Take(MonitoredItem item, in QueuedValue next) => batch.Add(item, next);
}
