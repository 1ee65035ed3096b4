using Gateway.Codec.Types;
using Gateway.Publish.Streams;
using Gateway.Rest.Events;

namespace Gateway.Rest.Streams;

/// <summary>An entry of a stream of events: an event, or <c>{"refresh":"start"}</c>, <c>{"refresh":"end"}</c> around
/// the alarms of interest. After a loss a stream with alarms refreshes by itself; another one says
/// <c>{"refresh":"required"}</c>.</summary>
internal static class EventEntry
{
    private static readonly byte[] Start = "{\"refresh\":\"start\"}"u8.ToArray();
    private static readonly byte[] End = "{\"refresh\":\"end\"}"u8.ToArray();
    private static readonly byte[] Required = "{\"refresh\":\"required\"}"u8.ToArray();

    /// <summary>Null: it is no entry.</summary>
    /// <param name="values">The stream of the engine.</param>
    /// <param name="form">Of the stream.</param>
    /// <param name="change">An event.</param>
    /// <param name="encoded">Shared by all.</param>
    /// <param name="lost">Counted up for each notice of a loss.</param>
    public static byte[]? Of(
        ValueStream values, EventForm form, in StreamChange change, EncodedValues encoded, ref long lost)
    {
        switch (EventForm.SignOf(change.Value))
        {
            case EventSign.RefreshStart:
                return Start;
            case EventSign.RefreshEnd:
                return End;
            case EventSign.RefreshRequired:
                return form.HasAlarms && IsOnItsWay(values.RefreshConditions()) ? null : Required;
            case EventSign.Lost:
                lost++;
                return null;
            default:
                return encoded.TextOf(change, form);
        }
    }

    /// <summary>The stream may have been closed meanwhile: then nobody needs it.</summary>
    private static bool IsOnItsWay(StatusCode status) => status.IsGood ||
        status.CodeBits is StatusCodes.BadRefreshInProgress or StatusCodes.BadSubscriptionIdInvalid;
}
