using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Publish.Items;

namespace Gateway.Publish.Notifications;

/// <summary>An EventFieldList of an EventNotificationList. The content is the Variant that holds the array of fields:
/// behind its first byte it is encoded as EventFields are. An entry that is flagged as an overflow stands where an
/// EventQueueOverflowEventType belongs. Source: Part 4 §7.25.3, §7.22.3.</summary>
internal readonly struct EventForm : INotificationForm
{
    public static NotificationKind Kind => NotificationKind.Event;

    public static uint EncodingId => EventNotificationList.BinaryEncodingId;

    public static int SizeOf(SharedValue content) => (2 * sizeof(uint)) + content.EncodedVariant.Length;

    /// <summary>Fields that no message to this peer can hold are left out.</summary>
    public static void Write(ref UaBinaryWriter writer, MonitoredItem item, in QueuedValue next, bool fits)
    {
        writer.WriteUInt32(item.ClientHandle);
        var fields = next.Value.EncodedVariant;
        if (fits && fields.Length > 0)
            writer.WriteRaw(fields[1..]);
        else
            writer.WriteInt32(-1);
    }

    public static void WriteEnd(ref UaBinaryWriter writer)
    {
    }
}
