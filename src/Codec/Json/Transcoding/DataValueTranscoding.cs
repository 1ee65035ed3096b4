using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json.Transcoding;

/// <summary>Writes a DataValue from UA Binary that was checked before. Source: Part 6 §5.2.2.17, §5.4.2.18.</summary>
internal static class DataValueTranscoding
{
    public static void Write(UaJsonWriter writer, ref UaBinaryReader reader)
    {
        var mask = reader.ReadByte();
        var hasValue = (mask & DataValueBinary.HasValue) != 0;
        if (hasValue && IsNullVariant(reader))
        {
            reader.Skip(1);
            hasValue = false;
        }

        // Without a value, the fields behind it decide whether the result is an object or null.
        var quality = hasValue ? default : ReadQuality(ref reader, mask);
        if (!hasValue && DataValueJson.IsDefault(quality))
        {
            writer.WriteNull();
            return;
        }

        writer.StartObject();
        if (hasValue)
        {
            WriteValue(writer, ref reader);
            quality = ReadQuality(ref reader, mask);
        }

        DataValueJson.WriteQuality(writer, quality);
        writer.EndObject();
    }

    /// <summary>The reader holds the Variant alone.</summary>
    public static void Write(
        UaJsonWriter writer, ref UaBinaryReader reader, bool hasValue, in DataValue quality)
    {
        hasValue = hasValue && !IsNullVariant(reader);
        if (!hasValue && DataValueJson.IsDefault(quality))
        {
            writer.WriteNull();
            return;
        }

        writer.StartObject();
        if (hasValue)
            WriteValue(writer, ref reader);
        DataValueJson.WriteQuality(writer, quality);
        writer.EndObject();
    }

    public static bool IsNull(UaBinaryReader reader)
    {
        var mask = reader.ReadByte();
        if ((mask & DataValueBinary.HasValue) != 0)
        {
            if (!IsNullVariant(reader))
                return false;
            reader.Skip(1);
        }

        return DataValueJson.IsDefault(ReadQuality(ref reader, mask));
    }

    private static void WriteValue(UaJsonWriter writer, ref UaBinaryReader reader)
    {
        if (writer.Format.IsDeprecated)
        {
            writer.Json.WritePropertyName(JsonNames.Value);
            VariantTranscoding.Write(writer, ref reader);
        }
        else
        {
            VariantTranscoding.WriteMembers(writer, ref reader, reader.ReadByte());
        }
    }

    private static bool IsNullVariant(UaBinaryReader reader) => (reader.ReadByte() & 0x3F) == 0;

    private static DataValue ReadQuality(ref UaBinaryReader reader, byte mask)
    {
        var status = (mask & DataValueBinary.HasStatus) != 0 ? reader.ReadStatusCode() : default;
        var source = (mask & DataValueBinary.HasSourceTimestamp) != 0 ? reader.ReadDateTime() : default;
        var sourcePs = (mask & DataValueBinary.HasSourcePicoseconds) != 0 ? reader.ReadUInt16() : default;
        var server = (mask & DataValueBinary.HasServerTimestamp) != 0 ? reader.ReadDateTime() : default;
        var serverPs = (mask & DataValueBinary.HasServerPicoseconds) != 0 ? reader.ReadUInt16() : default;
        return new DataValue(default, status, source, server, sourcePs, serverPs);
    }
}
