using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>LocalizedText: an object <c>Locale, Text</c> without empty members; NonReversible: the text alone. Source:
/// Part 6 §5.4.2.15, §H.6.</summary>
internal static class LocalizedTextJson
{
    private static readonly byte[][] Members = ["Locale"u8.ToArray(), "Text"u8.ToArray()];

    public static void Write(UaJsonWriter writer, scoped JsonText text, scoped JsonText locale)
    {
        if (text.IsNullOrEmpty && locale.IsNullOrEmpty)
        {
            writer.WriteNull();
            return;
        }

        if (writer.Format.Encoding == JsonEncoding.NonReversible)
        {
            writer.WriteText(text);
            return;
        }

        writer.StartObject();
        WriteMember(writer, JsonNames.Locale, locale);
        WriteMember(writer, JsonNames.Text, text);
        writer.EndObject();
    }

    public static LocalizedText Read(ref UaJsonReader reader)
    {
        if (reader.IsNull)
            return default;
        if (!reader.IsStartObject)
            return reader.TryReadText("a LocalizedText", out var only) ? new LocalizedText(only) : default;
        string? locale = null, text = null;
        var seen = 0UL;
        while (reader.NextMember(Members, ref seen, out var member))
        {
            if (member == 0)
                locale = reader.ReadString();
            else
                text = reader.ReadString();
        }

        return new LocalizedText(text, locale);
    }

    private static void WriteMember(
        UaJsonWriter writer, System.Text.Json.JsonEncodedText name, scoped JsonText value)
    {
        if (value.IsNullOrEmpty)
            return;
        writer.Json.WritePropertyName(name);
        value.WriteTo(writer);
    }
}
