using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Publish.Items;

namespace Gateway.Publish.Notifications;

/// <summary>How notifications of one kind look in a NotificationMessage. Source: Part 4 §7.25.</summary>
internal interface INotificationForm
{
    static abstract NotificationKind Kind { get; }

    /// <summary>Of the NotificationData that lists them.</summary>
    static abstract uint EncodingId { get; }

    /// <summary>The most bytes that one takes.</summary>
    static abstract int SizeOf(SharedValue content);

    /// <param name="writer">At the place of the list's next element.</param>
    /// <param name="item">The item of the notification.</param>
    /// <param name="next">The reference stays the caller's.</param>
    /// <param name="fits">False: no message to this peer can hold its content.</param>
    static abstract void Write(ref UaBinaryWriter writer, MonitoredItem item, in QueuedValue next, bool fits);

    /// <summary>Writes the fields behind the list.</summary>
    static abstract void WriteEnd(ref UaBinaryWriter writer);
}
