using Gateway.Publish.Streams;
using Gateway.Rest.Events;

namespace Gateway.Rest.Streams;

/// <summary>An entry of a stream of events: an event, or <c>{"refresh":"start"}</c>, <c>{"refresh":"end"}</c> around
/// the alarms of interest. After a loss a stream with alarms refreshes by itself (<see cref="RefreshPace"/>); another
/// one says <c>{"refresh":"required"}</c>.</summary>
internal static class EventEntry
{
    private static readonly byte[] Start = "{\"refresh\":\"start\"}"u8.ToArray();
    private static readonly byte[] End = "{\"refresh\":\"end\"}"u8.ToArray();
    private static readonly byte[] Required = "{\"refresh\":\"required\"}"u8.ToArray();

    /// <summary>Null: it is no entry.</summary>
    /// <param name="stream">Of events.</param>
    /// <param name="change">An event.</param>
    /// <param name="encoded">Shared by all.</param>
    /// <param name="lost">Counted up for each notice of a loss.</param>
    public static byte[]? Of(
        LiveStream stream, in StreamChange change, EncodedValues encoded, ref long lost)
    {
        switch (EventForm.SignOf(change.Value))
        {
            case EventSign.RefreshStart:
                return Start;
            case EventSign.RefreshEnd:
                return End;
            case EventSign.RefreshRequired:
                return stream.Refreshes?.Demand() == true ? null : Required;
            case EventSign.Lost:
                lost++;
                return null;
            default:
                return encoded.TextOf(change, stream.Form!);
        }
    }
}
