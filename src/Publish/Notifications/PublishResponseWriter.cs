using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Sessions;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Notifications;

/// <summary>
/// Writes PublishResponses straight into a message buffer: no object tree, encoded values are spliced.
/// <code>
/// TypeId | ResponseHeader | SubscriptionId | AvailableSequenceNumbers | MoreNotifications
///        | SequenceNumber PublishTime NotificationData | Results | DiagnosticInfos
/// </code>
/// The second line from SequenceNumber to NotificationData is what a Republish repeats: its place is left in
/// <see cref="MessageStart"/> and <see cref="MessageLength"/>. Owner: a shard, under its lock (the availability list
/// under the session's gate as well). Source: Part 4 §5.14.5, §7.25.
/// </summary>
internal sealed class PublishResponseWriter(PooledBuffer buffer, PublishLimits limits)
{
    /// <summary>No message is larger, even if the peer accepts more: it fits into a <see cref="PooledBuffer"/>.
    /// </summary>
    private const int MaxResponseBytes = 15 * 1024 * 1024;

    /// <summary>TypeId, encoding byte, length, number of elements, and what follows them.</summary>
    private const int NotificationDataHead = 4 + 1 + (3 * sizeof(int));

    public PooledBuffer Buffer => buffer;

    public int MessageStart { get; private set; }

    public int MessageLength { get; private set; }

    /// <summary>In the message last written.</summary>
    public int DataChanges { get; private set; }

    /// <summary>In the message last written.</summary>
    public int Events { get; private set; }

    private int Notifications => DataChanges + Events;

    /// <summary>A ServiceFault. Source: Part 4 §7.35.</summary>
    public void WriteFault(uint requestHandle, StatusCode status, DateTime now)
    {
        buffer.Reset();
        var writer = new UaBinaryWriter(buffer);
        ResponseHeaderBinary.Write(ref writer, ServiceFault.BinaryEncodingId, now, requestHandle, status);
        writer.Complete();
    }

    /// <summary>Announces the next sequence number and does not use it up.</summary>
    public void WriteKeepAlive(Subscription subscription, in HeldPublishRequest request, DateTime now)
    {
        var writer = Begin(subscription.Id, request, now);
        WriteAvailable(ref writer, subscription.Retransmission, 0);
        writer.WriteBoolean(false);
        writer.WriteUInt32(subscription.NextSequenceNumber);
        writer.WriteDateTime(now);
        writer.WriteInt32(0);
        End(ref writer, request);
    }

    public void WriteStatusChange(in StatusChange change, in HeldPublishRequest request, DateTime now)
    {
        var writer = Begin(change.SubscriptionId, request, now);
        writer.WriteInt32(0);
        writer.WriteBoolean(false);
        writer.WriteUInt32(change.SequenceNumber);
        writer.WriteDateTime(now);
        writer.WriteInt32(1);
        var body = BeginNotificationData(ref writer, StatusChangeNotification.BinaryEncodingId);
        writer.WriteStatusCode(change.Status);
        writer.WriteByte(0);
        writer.EndLength(body);
        End(ref writer, request);
    }

    /// <summary>Takes notifications from the dirty items, up to the subscription's number and the size that the peer
    /// accepts; items that are drained leave the list.</summary>
    /// <param name="maxResponseBytes">The limit of the peer; 0 for any.</param>
    public void WriteNotifications(
        Subscription subscription,
        in HeldPublishRequest request,
        uint sequenceNumber,
        DateTime now,
        int maxResponseBytes)
    {
        var writer = Begin(subscription.Id, request, now);
        WriteAvailable(ref writer, subscription.Retransmission, sequenceNumber);
        var more = writer.Position;
        writer.WriteBoolean(false);
        var start = writer.Position;
        writer.WriteUInt32(sequenceNumber);
        writer.WriteDateTime(now);
        var tail = sizeof(int) * (3 + request.AcknowledgementCount);
        var accepted = maxResponseBytes > 0 ? Math.Min(maxResponseBytes, MaxResponseBytes) : MaxResponseBytes;
        var wanted = Math.Min(limits.MaxPublishResponseBytes, accepted);
        WriteKinds(ref writer, subscription, softEnd: wanted - tail, hardEnd: accepted - tail);
        MessageStart = start;
        MessageLength = writer.Position - start;
        // The flag's byte and the three bytes of the sequence number behind it, as the writer patches four.
        var flag = subscription.HasNotifications ? 1u : 0u;
        writer.PatchUInt32(more, flag | (sequenceNumber << 8));
        End(ref writer, request);
    }

    private static void WriteAvailable(ref UaBinaryWriter writer, RetransmissionQueue queue, uint added)
    {
        writer.WriteInt32(queue.Count + (added == 0 ? 0 : 1));
        for (var i = 0; i < queue.Count; i++)
            writer.WriteUInt32(queue.SequenceNumberAt(i));
        if (added != 0)
            writer.WriteUInt32(added);
    }

    private static int BeginNotificationData(ref UaBinaryWriter writer, uint encodingId)
    {
        writer.WriteTypeId(encodingId);
        writer.WriteByte(1);
        return writer.BeginLength();
    }

    private static void End(ref UaBinaryWriter writer, in HeldPublishRequest request)
    {
        writer.WriteInt32(request.AcknowledgementCount);
        for (var i = 0; i < request.AcknowledgementCount; i++)
            writer.WriteUInt32(request.AcknowledgementResults?[i] ?? 0);
        writer.WriteInt32(-1);
        writer.Complete();
    }

    private UaBinaryWriter Begin(uint subscriptionId, in HeldPublishRequest request, DateTime now)
    {
        buffer.Reset();
        (DataChanges, Events) = (0, 0);
        var writer = new UaBinaryWriter(buffer);
        ResponseHeaderBinary.Write(
            ref writer, PublishResponse.BinaryEncodingId, now, request.RequestHandle, StatusCode.Good);
        writer.WriteUInt32(subscriptionId);
        return writer;
    }

    /// <summary>A NotificationData for each kind that there is something of. Notifications that find no room in a full
    /// message lead the next one.</summary>
    private void WriteKinds(ref UaBinaryWriter writer, Subscription subscription, int softEnd, int hardEnd)
    {
        var countAt = writer.Position;
        writer.WriteInt32(0);
        var kinds = 0u;
        if (subscription.TakeLeadingKind() == NotificationKind.Event)
        {
            Events = WriteKind<EventForm>(ref writer, subscription, softEnd, hardEnd, ref kinds);
            DataChanges = WriteKind<DataChangeForm>(ref writer, subscription, softEnd, hardEnd, ref kinds);
        }
        else
        {
            DataChanges = WriteKind<DataChangeForm>(ref writer, subscription, softEnd, hardEnd, ref kinds);
            Events = WriteKind<EventForm>(ref writer, subscription, softEnd, hardEnd, ref kinds);
        }

        writer.PatchUInt32(countAt, kinds);
    }

    /// <summary>Returns the notifications that were written.</summary>
    private int WriteKind<TForm>(
        ref UaBinaryWriter writer, Subscription subscription, int softEnd, int hardEnd, ref uint kinds)
        where TForm : struct, INotificationForm
    {
        var most = subscription.MaxNotificationsPerPublish - Notifications;
        var first = subscription.DirtyItems.Of(TForm.Kind).First;
        if (first is null || (kinds > 0 && (most == 0 || !HasRoomForAnother<TForm>(writer.Position, first, softEnd))))
            return 0;
        kinds++;
        var body = BeginNotificationData(ref writer, TForm.EncodingId);
        var countAt = writer.Position;
        writer.WriteInt32(0);
        var sink = new MessageSink<TForm>(writer, softEnd, hardEnd, isFirst: Notifications == 0);
        var written = subscription.Drain(TForm.Kind, most, ref sink);
        writer = sink.Writer;
        writer.PatchUInt32(countAt, (uint)written);
        TForm.WriteEnd(ref writer);
        writer.EndLength(body);
        return written;
    }

    private static bool HasRoomForAnother<TForm>(int position, MonitoredItem first, int softEnd)
        where TForm : struct, INotificationForm =>
        first.Queue.Count > 0 &&
        position + NotificationDataHead + TForm.SizeOf(first.Queue.Peek().Value) <= softEnd;
}
