using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json.Transcoding;

/// <summary>Writes a Variant from UA Binary that was checked before. Source: Part 6 §5.2.2.16, §5.4.2.17.</summary>
internal static class VariantTranscoding
{
    public static void Write(UaJsonWriter writer, ref UaBinaryReader reader)
    {
        var encoding = reader.ReadByte();
        if ((encoding & 0x3F) == 0)
        {
            writer.WriteNull();
        }
        else if (writer.Format.Encoding == JsonEncoding.NonReversible)
        {
            WriteBare(writer, ref reader, encoding);
        }
        else
        {
            writer.StartObject();
            WriteMembers(writer, ref reader, encoding);
            writer.EndObject();
        }
    }

    /// <summary>Without its type.</summary>
    public static void WriteBare(UaJsonWriter writer, ref UaBinaryReader reader)
    {
        var encoding = reader.ReadByte();
        var type = VariantBinary.TypeOf(encoding);
        var isScalar = (encoding & VariantBinary.ArrayFlag) == 0;
        if ((encoding & 0x3F) == 0 || (isScalar && ValueTranscoding.IsNull(reader, type)))
            writer.WriteNull();
        else
            WriteBare(writer, ref reader, encoding);
    }

    /// <summary>As a field of a structure: without its type, a matrix as <c>Array, Dimensions</c>. Source: Part 6
    /// §5.4.5.</summary>
    public static void WriteField(UaJsonWriter writer, ref UaBinaryReader reader)
    {
        var ahead = reader;
        var encoding = ahead.ReadByte();
        var type = VariantBinary.TypeOf(encoding);
        if ((encoding & VariantBinary.DimensionsFlag) != 0)
            ValueSkip.Elements(ref ahead, type);
        var dimensions = ReadDimensions(ref ahead, encoding);
        if (dimensions.Length <= 1)
        {
            WriteBare(writer, ref reader);
            return;
        }

        reader.Skip(1);
        writer.StartObject();
        writer.Json.WritePropertyName("Array"u8);
        WriteArray(writer, ref reader, type);
        VariantJson.WriteDimensions(writer, dimensions);
        writer.EndObject();
        reader = ahead;
    }

    /// <summary>The members that a Variant and a DataValue share.</summary>
    public static void WriteMembers(UaJsonWriter writer, ref UaBinaryReader reader, byte encoding)
    {
        var type = VariantBinary.TypeOf(encoding);
        VariantJson.WriteType(writer, type);
        if ((encoding & VariantBinary.ArrayFlag) != 0)
        {
            writer.Json.WritePropertyName(VariantJson.ValueName(writer));
            var count = WriteArray(writer, ref reader, type);
            var dimensions = ReadDimensions(ref reader, encoding);
            if (count > 0 && VariantJson.HasDimensions(dimensions))
                VariantJson.WriteDimensions(writer, dimensions);
        }
        else if (ValueTranscoding.IsNull(reader, type) || IsOmittedStatus(writer, reader, type))
        {
            ValueSkip.Value(ref reader, type);
        }
        else
        {
            writer.Json.WritePropertyName(VariantJson.ValueName(writer));
            ValueTranscoding.Write(writer, ref reader, type);
        }
    }

    private static bool IsOmittedStatus(UaJsonWriter writer, UaBinaryReader reader, BuiltInType type) =>
        type == BuiltInType.StatusCode && StatusCodeJson.IsOmitted(writer, reader.ReadStatusCode());

    private static void WriteBare(UaJsonWriter writer, ref UaBinaryReader reader, byte encoding)
    {
        var type = VariantBinary.TypeOf(encoding);
        if ((encoding & VariantBinary.ArrayFlag) == 0)
        {
            ValueTranscoding.Write(writer, ref reader, type);
            return;
        }

        // UA Binary has the dimensions behind the elements, but the text needs them first.
        var ahead = reader;
        var count = ValueSkip.Elements(ref ahead, type);
        var dimensions = ReadDimensions(ref ahead, encoding);
        if (count > 0 && dimensions.Length > 1)
        {
            reader.Skip(sizeof(int));
            WriteNested(writer, ref reader, type, dimensions);
        }
        else
        {
            WriteArray(writer, ref reader, type);
        }

        ReadDimensions(ref reader, encoding);
    }

    private static void WriteNested(
        UaJsonWriter writer, ref UaBinaryReader reader, BuiltInType type, scoped ReadOnlySpan<int> dimensions)
    {
        if (dimensions.Length == 1)
        {
            WriteElements(writer, ref reader, type, dimensions[0]);
            return;
        }

        writer.Json.WriteStartArray();
        for (var i = 0; i < dimensions[0]; i++)
            WriteNested(writer, ref reader, type, dimensions[1..]);
        writer.Json.WriteEndArray();
    }

    /// <summary>Returns the number of elements, −1 for null.</summary>
    private static int WriteArray(UaJsonWriter writer, ref UaBinaryReader reader, BuiltInType type)
    {
        var count = reader.ReadInt32();
        WriteElements(writer, ref reader, type, count);
        return count;
    }

    private static void WriteElements(UaJsonWriter writer, ref UaBinaryReader reader, BuiltInType type, int count)
    {
        writer.Json.WriteStartArray();
        for (var i = 0; i < count; i++)
            ValueTranscoding.Write(writer, ref reader, type);
        writer.Json.WriteEndArray();
    }

    private static ReadOnlySpan<int> ReadDimensions(ref UaBinaryReader reader, byte encoding) =>
        (encoding & VariantBinary.DimensionsFlag) != 0 ? VariantBinary.ReadDimensions(ref reader) : default;
}
