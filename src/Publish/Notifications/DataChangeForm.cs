using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Items;

namespace Gateway.Publish.Notifications;

/// <summary>A MonitoredItemNotification of a DataChangeNotification. Source: Part 4 §7.25.2.</summary>
internal readonly struct DataChangeForm : INotificationForm
{
    public static NotificationKind Kind => NotificationKind.DataChange;

    public static uint EncodingId => DataChangeNotification.BinaryEncodingId;

    public static int SizeOf(SharedValue content) => sizeof(uint) + content.MaximumSizeBytes;

    /// <summary>A value that no message to this peer can hold is reported without it.</summary>
    public static void Write(ref UaBinaryWriter writer, MonitoredItem item, in QueuedValue next, bool fits)
    {
        writer.WriteUInt32(item.ClientHandle);
        if (fits)
            next.Value.WriteDataValue(ref writer, item.Timestamps, next.Bits);
        else
            writer.WriteDataValue(WithoutValue(next.Value, item.Timestamps, next.Bits));
    }

    /// <summary>No DiagnosticInfos.</summary>
    public static void WriteEnd(ref UaBinaryWriter writer) => writer.WriteInt32(-1);

    /// <summary>With the times that were asked for and the bits of the notification. Source: Part 4 §5.13.1.5, §7.40.
    /// </summary>
    private static DataValue WithoutValue(SharedValue value, WireTimestamps timestamps, NotificationBits bits)
    {
        var source = (timestamps & WireTimestamps.Source) != 0;
        var server = (timestamps & WireTimestamps.Server) != 0;
        return new DataValue(
            default,
            new StatusCode(StatusCodes.BadEncodingLimitsExceeded | (uint)bits),
            source ? value.SourceTimestamp : default,
            server ? value.ServerTimestamp : default,
            source ? value.SourcePicoseconds : (ushort)0);
    }
}
