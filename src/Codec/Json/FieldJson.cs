using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>Writes the fields of a structure: the name and the value, or nothing if the encoding omits defaults. An
/// empty name writes the bare value. Source: Part 6 §5.4.6.</summary>
public static class FieldJson
{
    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, bool value)
    {
        if (writer.BeginField(name, !value))
            writer.WriteBoolean(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, sbyte value)
    {
        if (writer.BeginField(name, value == 0))
            writer.WriteSByte(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, byte value)
    {
        if (writer.BeginField(name, value == 0))
            writer.WriteByte(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, short value)
    {
        if (writer.BeginField(name, value == 0))
            writer.WriteInt16(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, ushort value)
    {
        if (writer.BeginField(name, value == 0))
            writer.WriteUInt16(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, int value)
    {
        if (writer.BeginField(name, value == 0))
            writer.WriteInt32(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, uint value)
    {
        if (writer.BeginField(name, value == 0))
            writer.WriteUInt32(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, long value)
    {
        if (writer.BeginField(name, value == 0))
            writer.WriteInt64(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, ulong value)
    {
        if (writer.BeginField(name, value == 0))
            writer.WriteUInt64(value);
    }

    /// <summary>Minus zero is not the default.</summary>
    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, float value)
    {
        if (writer.BeginField(name, BitConverter.SingleToInt32Bits(value) == 0))
            writer.WriteFloat(value);
    }

    /// <summary>Minus zero is not the default.</summary>
    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, double value)
    {
        if (writer.BeginField(name, BitConverter.DoubleToInt64Bits(value) == 0))
            writer.WriteDouble(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, string? value)
    {
        if (writer.BeginField(name, value is null))
            writer.WriteString(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, DateTime value)
    {
        if (writer.BeginField(name, UaDateTime.ToWire(value) == 0))
            writer.WriteDateTime(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, Guid value)
    {
        if (writer.BeginField(name, value == Guid.Empty))
            writer.WriteGuid(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, byte[]? value)
    {
        if (writer.BeginField(name, value is null))
            writer.WriteByteString(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, XmlElement value)
    {
        if (writer.BeginField(name, value.Value is null))
            writer.WriteXmlElement(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, NodeId value)
    {
        if (writer.BeginField(name, value.IsNull))
            writer.WriteNodeId(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, ExpandedNodeId value)
    {
        if (writer.BeginField(name, new JsonNodeId(value).IsNull))
            writer.WriteExpandedNodeId(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, StatusCode value)
    {
        // Without a name it is the value of a union, which must be present.
        if (StatusCodeJson.IsOmitted(writer, value) && !name.IsEmpty)
            return;
        if (writer.BeginField(name, value.Code == 0))
            writer.WriteStatusCode(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, QualifiedName value)
    {
        if (writer.BeginField(name, value.IsNull))
            writer.WriteQualifiedName(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, LocalizedText value)
    {
        if (writer.BeginField(name, string.IsNullOrEmpty(value.Text) && string.IsNullOrEmpty(value.Locale)))
            writer.WriteLocalizedText(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, ExtensionObject value)
    {
        if (writer.BeginField(name, value.IsNull))
            writer.WriteExtensionObject(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, in DataValue value)
    {
        if (writer.BeginField(name, DataValueJson.IsNull(value)))
            writer.WriteDataValue(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, in Variant value)
    {
        if (writer.BeginField(name, value.IsNull))
            writer.WriteVariant(value);
    }

    public static void WriteField(this UaJsonWriter writer, ReadOnlySpan<byte> name, DiagnosticInfo? value)
    {
        if (writer.BeginField(name, value is null))
            writer.WriteDiagnosticInfo(value);
    }

    /// <summary>An array of a built-in type.</summary>
    public static void WriteArrayField(
        this UaJsonWriter writer, ReadOnlySpan<byte> name, BuiltInType type, Array? elements)
    {
        if (writer.BeginField(name, elements is null))
            writer.WriteArray(type, elements);
    }

    public static void WriteEnumerationField<T>(this UaJsonWriter writer, ReadOnlySpan<byte> name, T value)
        where T : struct, Enum
    {
        if (writer.BeginField(name, EqualityComparer<T>.Default.Equals(value, default)))
            EnumerationJson.Write(writer, value);
    }

    public static void WriteEnumerationArrayField<T>(
        this UaJsonWriter writer, ReadOnlySpan<byte> name, T[]? elements)
        where T : struct, Enum
    {
        if (!writer.BeginField(name, elements is null))
            return;
        if (elements is null)
            writer.WriteNull();
        else
            ArrayJson.Each(writer, elements, 0, elements.Length, EnumerationJson.Write);
    }

    public static void WriteStructureField<T>(this UaJsonWriter writer, ReadOnlySpan<byte> name, T? value)
        where T : IJsonStructure
    {
        if (writer.BeginField(name, StructureJson.IsNull(value)))
            writer.WriteStructure(value);
    }

    public static void WriteStructureArrayField<T>(this UaJsonWriter writer, ReadOnlySpan<byte> name, T[]? elements)
        where T : IJsonStructure
    {
        if (writer.BeginField(name, elements is null))
            writer.WriteStructureArray(elements);
    }
}
