using System.Text.Json;

namespace Gateway.Rest.Alarms;

/// <summary>The body <c>{"alarm","eventId","comment"}</c> of an answer to an alarm.</summary>
/// <param name="Alarm">Its id.</param>
/// <param name="EventId">Of the event that is answered.</param>
/// <param name="Comment">Empty: the last one stays.</param>
internal sealed record AlarmBody(string Alarm, byte[] EventId, string Comment)
{
    public const string Expected =
        "expected an object with the texts alarm and eventId, as GET /alarms has them, and if wanted comment";

    /// <summary>Null: it is no such object.</summary>
    public static AlarmBody? Read(ReadOnlyMemory<byte> body)
    {
        try
        {
            using var json = JsonDocument.Parse(body);
            if (json.RootElement.ValueKind != JsonValueKind.Object ||
                !json.RootElement.TryGetProperty("alarm", out var alarm) ||
                !json.RootElement.TryGetProperty("eventId", out var eventId) ||
                !eventId.TryGetBytesFromBase64(out var id))
                return null;
            var comment = json.RootElement.TryGetProperty("comment", out var words) ? words.GetString() : null;
            return alarm.GetString() is { Length: > 0 } text ? new AlarmBody(text, id, comment ?? "") : null;
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException)
        {
            return null;
        }
    }
}
