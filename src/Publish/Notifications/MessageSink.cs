using Gateway.Codec.Binary;
using Gateway.Publish.Items;

namespace Gateway.Publish.Notifications;

/// <summary>The sink of a PublishResponse: writes notifications of one kind up to the size of a message. The first of
/// a message always has room.</summary>
/// <param name="writer">Its copy is in use until <see cref="Writer"/> is taken back.</param>
/// <param name="softEnd">Where the message had better end.</param>
/// <param name="hardEnd">Where it has to end.</param>
/// <param name="isFirst">The message holds no notification yet.</param>
internal ref struct MessageSink<TForm>(UaBinaryWriter writer, int softEnd, int hardEnd, bool isFirst)
    : INotificationSink
    where TForm : struct, INotificationForm
{
    public UaBinaryWriter Writer = writer;

    private bool _isFirst = isFirst;

    public readonly bool HasRoomFor(in QueuedValue next) =>
        _isFirst || Writer.Position + TForm.SizeOf(next.Value) <= softEnd;

    public void Take(MonitoredItem item, in QueuedValue next)
    {
        _isFirst = false;
        TForm.Write(ref Writer, item, next, fits: Writer.Position + TForm.SizeOf(next.Value) <= hardEnd);
        next.Value.Release();
    }
}
