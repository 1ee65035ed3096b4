using System.Buffers.Text;
using System.Text.Json;

namespace Gateway.Loadtest.Scenarios.PubSub;

/// <summary>JSON with field encodings that keep the source timestamp: <c>{"Messages":{"DataSetWriterId",
/// "SequenceNumber","MessageType","Payload":{"Tag0":{"Value","SourceTimestamp"}}}}</c>. A tag's place ends the name of
/// its field. Source: Part 14 §7.2.5.</summary>
internal sealed class JsonDecoder : IMessageDecoder
{
    public bool TryRead(ReadOnlySpan<byte> message, PublishedCheck check)
    {
        var reader = new Utf8JsonReader(message);
        var (writer, sequence, kind) = (0, 0u, FrameKind.KeepAlive);
        while (reader.Read())
        {
            if (reader.TokenType != JsonTokenType.PropertyName)
                continue;
            if (reader.ValueTextEquals("DataSetWriterId"u8) && reader.Read())
                writer = reader.GetInt32();
            else if (reader.ValueTextEquals("SequenceNumber"u8) && reader.Read())
                sequence = reader.GetUInt32();
            else if (reader.ValueTextEquals("MessageType"u8) && reader.Read())
                kind = KindOf(ref reader, kind);
            else if (reader.ValueTextEquals("MetaDataVersion"u8) && reader.Read())
                reader.Skip();
            else if (reader.ValueTextEquals("Payload"u8) && reader.Read())
                return Begin(check, writer, sequence, kind) && TryReadFields(ref reader, check);
        }

        return Begin(check, writer, sequence, FrameKind.KeepAlive);
    }

    private static bool Begin(PublishedCheck check, int writer, uint sequence, FrameKind kind)
    {
        if (writer == 0)
            return false;
        check.Begin(writer, sequence, kind);
        return true;
    }

    private static FrameKind KindOf(ref Utf8JsonReader reader, FrameKind other)
    {
        if (reader.ValueTextEquals("ua-deltaframe"u8))
            return FrameKind.DeltaFrame;
        return reader.ValueTextEquals("ua-keyframe"u8) ? FrameKind.KeyFrame : other;
    }

    private static bool TryReadFields(ref Utf8JsonReader reader, PublishedCheck check)
    {
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var tag = TagOf(reader.ValueSpan);
            reader.Read();
            if (reader.TokenType != JsonTokenType.StartObject)
                return false;
            var (value, time) = (double.NaN, default(DateTime));
            while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
            {
                if (reader.ValueTextEquals("Value"u8) && reader.Read())
                    value = reader.TokenType == JsonTokenType.Number ? reader.GetDouble() : double.NaN;
                else if (reader.ValueTextEquals("SourceTimestamp"u8) && reader.Read())
                    time = reader.GetDateTime();
                else
                    reader.Skip();
            }

            check.Add(tag, value, time);
        }

        return reader.TokenType == JsonTokenType.EndObject;
    }

    /// <summary>−1: no number at its end.</summary>
    private static int TagOf(ReadOnlySpan<byte> name)
    {
        var digits = name[(name.LastIndexOfAnyExceptInRange((byte)'0', (byte)'9') + 1)..];
        return Utf8Parser.TryParse(digits, out int number, out _) ? number : -1;
    }
}
