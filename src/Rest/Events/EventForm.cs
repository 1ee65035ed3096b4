using System.Text.Json;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Rest.Events;

/// <summary>Which events a stream brings, and the members of each as JSON. Equal filters have equal members: a text can
/// be shared by all streams that share the event. Immutable.</summary>
/// <param name="filter">Selects the EventType, and behind it the members.</param>
/// <param name="names">Of the members.</param>
/// <param name="text">Equal for the same wish.</param>
/// <param name="hasAlarms">First comes what is retained, and again after a loss.</param>
internal sealed class EventForm(EventFilter filter, JsonEncodedText[] names, string text, bool hasAlarms)
{
    public EventFilter Filter => filter;

    public string Text => text;

    public bool HasAlarms => hasAlarms;

    /// <summary>An estimate from above of its memory in a stream.</summary>
    public long Bytes => 1024 + (256L * names.Length) + (8L * text.Length);

    /// <summary>Of the event whose fields these are.</summary>
    public static EventSign SignOf(SharedValue fields)
    {
        var reader = new UaBinaryReader(fields.EncodedVariant);
        reader.ReadByte();
        if (reader.ReadInt32() < 1)
            return EventSign.None;
        var type = reader.ReadVariant();
        if (reader.Failed || type.Type != BuiltInType.NodeId || type.AsNodeId() is not
            {
                NamespaceIndex: 0,
                IdType: IdType.Numeric,
            } id)
            return EventSign.None;
        return id.Numeric switch
        {
            StandardIds.ObjectTypes.RefreshStartEventType => EventSign.RefreshStart,
            StandardIds.ObjectTypes.RefreshEndEventType => EventSign.RefreshEnd,
            StandardIds.ObjectTypes.RefreshRequiredEventType => EventSign.RefreshRequired,
            StandardIds.ObjectTypes.EventQueueOverflowEventType => EventSign.Lost,
            _ => EventSign.None,
        };
    }

    /// <summary><c>{"eventId":"…","message":"…"}</c>; a field that the event does not have is absent.</summary>
    public void Write(UaJsonWriter writer, SharedValue fields)
    {
        writer.StartObject();
        var reader = new UaBinaryReader(fields.EncodedVariant);
        // The array of Variants: its type, its length, and the EventType in front of the members.
        reader.ReadByte();
        var count = reader.ReadInt32() - 1;
        reader.ReadVariantBytes();
        for (var i = 0; i < Math.Min(names.Length, count); i++)
        {
            var encoded = reader.ReadVariantBytes();
            if (encoded.IsEmpty || encoded[0] == (byte)BuiltInType.Null || IsNullNodeId(encoded))
                continue;
            writer.Json.WritePropertyName(names[i]);
            WriteValue(writer, encoded);
        }

        writer.EndObject();
    }

    /// <summary>As the BranchId of an alarm's present state.</summary>
    private static bool IsNullNodeId(ReadOnlySpan<byte> encoded)
    {
        if (encoded[0] != (byte)BuiltInType.NodeId)
            return false;
        var reader = new UaBinaryReader(encoded[1..]);
        return reader.ReadNodeId().IsNull;
    }

    /// <summary>A text and a status as <c>/alarms</c> has them, everything else as <c>/values</c>.</summary>
    private static void WriteValue(UaJsonWriter writer, ReadOnlySpan<byte> encoded)
    {
        var reader = new UaBinaryReader(encoded[1..]);
        if (encoded[0] == (byte)BuiltInType.LocalizedText)
            writer.WriteString(reader.ReadLocalizedText().Text);
        else if (encoded[0] == (byte)BuiltInType.StatusCode)
            writer.Json.WriteStringValue(reader.ReadStatusCode().ToString());
        else if (!JsonTranscoder.TryWriteBareVariant(writer, encoded))
            writer.WriteNull();
    }
}
