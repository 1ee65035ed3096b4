using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>Arrays of built-in types: JSON arrays, NULL elements as null. Source: Part 6 §5.4.5.</summary>
internal static class ArrayJson
{
    private const int FirstElements = 16;

    internal delegate T ReadElement<T>(ref UaJsonReader reader);

    public static void WriteEmpty(UaJsonWriter writer)
    {
        writer.Json.WriteStartArray();
        writer.Json.WriteEndArray();
    }

    /// <summary>A part of the elements. The CLR array must be that of the built-in type; any other is a bug of the
    /// caller and throws.</summary>
    public static void Write(UaJsonWriter writer, BuiltInType type, Array elements, int first, int count)
    {
        switch (type)
        {
            case BuiltInType.Boolean:
                Each(writer, (bool[])elements, first, count, static (w, v) => w.WriteBoolean(v));
                break;
            case BuiltInType.SByte:
                Each(writer, (sbyte[])elements, first, count, static (w, v) => w.WriteSByte(v));
                break;
            case BuiltInType.Byte:
                Each(writer, (byte[])elements, first, count, static (w, v) => w.WriteByte(v));
                break;
            case BuiltInType.Int16:
                Each(writer, (short[])elements, first, count, static (w, v) => w.WriteInt16(v));
                break;
            case BuiltInType.UInt16:
                Each(writer, (ushort[])elements, first, count, static (w, v) => w.WriteUInt16(v));
                break;
            case BuiltInType.Int32:
                Each(writer, (int[])elements, first, count, static (w, v) => w.WriteInt32(v));
                break;
            case BuiltInType.UInt32:
                Each(writer, (uint[])elements, first, count, static (w, v) => w.WriteUInt32(v));
                break;
            case BuiltInType.Int64:
                Each(writer, (long[])elements, first, count, static (w, v) => w.WriteInt64(v));
                break;
            case BuiltInType.UInt64:
                Each(writer, (ulong[])elements, first, count, static (w, v) => w.WriteUInt64(v));
                break;
            case BuiltInType.Float:
                Each(writer, (float[])elements, first, count, static (w, v) => w.WriteFloat(v));
                break;
            case BuiltInType.Double:
                Each(writer, (double[])elements, first, count, static (w, v) => w.WriteDouble(v));
                break;
            case BuiltInType.String:
                Each(writer, (string?[])elements, first, count, static (w, v) => w.WriteString(v));
                break;
            case BuiltInType.DateTime:
                Each(writer, (DateTime[])elements, first, count, static (w, v) => w.WriteDateTime(v));
                break;
            default:
                WriteObjects(writer, type, elements, first, count);
                break;
        }
    }

    /// <summary>Null after an error. Charges memory as the array grows, for elements that really exist (R02).</summary>
    public static Array? Read(ref UaJsonReader reader, BuiltInType type) => type switch
    {
        BuiltInType.Boolean => ReadEach(ref reader, static (ref r) => r.ReadBoolean()),
        BuiltInType.SByte => ReadEach(ref reader, static (ref r) => r.ReadSByte()),
        BuiltInType.Byte => ReadEach(ref reader, static (ref r) => r.ReadByte()),
        BuiltInType.Int16 => ReadEach(ref reader, static (ref r) => r.ReadInt16()),
        BuiltInType.UInt16 => ReadEach(ref reader, static (ref r) => r.ReadUInt16()),
        BuiltInType.Int32 => ReadEach(ref reader, static (ref r) => r.ReadInt32()),
        BuiltInType.UInt32 => ReadEach(ref reader, static (ref r) => r.ReadUInt32()),
        BuiltInType.Int64 => ReadEach(ref reader, static (ref r) => r.ReadInt64()),
        BuiltInType.UInt64 => ReadEach(ref reader, static (ref r) => r.ReadUInt64()),
        BuiltInType.Float => ReadEach(ref reader, static (ref r) => r.ReadFloat()),
        BuiltInType.Double => ReadEach(ref reader, static (ref r) => r.ReadDouble()),
        BuiltInType.String => ReadEach(ref reader, static (ref r) => r.ReadString()),
        BuiltInType.DateTime => ReadEach(ref reader, static (ref r) => r.ReadDateTime()),
        BuiltInType.Guid => ReadEach(ref reader, static (ref r) => r.ReadGuid()),
        BuiltInType.ByteString => ReadEach(ref reader, static (ref r) => r.ReadByteString()),
        BuiltInType.XmlElement => ReadEach(ref reader, static (ref r) => r.ReadXmlElement()),
        BuiltInType.NodeId => ReadEach(ref reader, static (ref r) => r.ReadNodeId()),
        BuiltInType.ExpandedNodeId => ReadEach(ref reader, static (ref r) => r.ReadExpandedNodeId()),
        BuiltInType.StatusCode => ReadEach(ref reader, static (ref r) => r.ReadStatusCode()),
        BuiltInType.QualifiedName => ReadEach(ref reader, static (ref r) => r.ReadQualifiedName()),
        BuiltInType.LocalizedText => ReadEach(ref reader, static (ref r) => r.ReadLocalizedText()),
        BuiltInType.ExtensionObject => ReadEach(ref reader, static (ref r) => r.ReadExtensionObject()),
        BuiltInType.DataValue => ReadEach(ref reader, static (ref r) => r.ReadDataValue()),
        BuiltInType.Variant => ReadEach(ref reader, static (ref r) => r.ReadVariant()),
        _ => ReadEach(ref reader, static (ref r) => r.ReadDiagnosticInfo()),
    };

    private static void WriteObjects(UaJsonWriter writer, BuiltInType type, Array elements, int first, int count)
    {
        switch (type)
        {
            case BuiltInType.Guid:
                Each(writer, (Guid[])elements, first, count, static (w, v) => w.WriteGuid(v));
                break;
            case BuiltInType.ByteString:
                Each(writer, (byte[]?[])elements, first, count, static (w, v) => w.WriteByteString(v));
                break;
            case BuiltInType.XmlElement:
                Each(writer, (XmlElement[])elements, first, count, static (w, v) => w.WriteXmlElement(v));
                break;
            case BuiltInType.NodeId:
                Each(writer, (NodeId[])elements, first, count, static (w, v) => w.WriteNodeId(v));
                break;
            case BuiltInType.ExpandedNodeId:
                Each(writer, (ExpandedNodeId[])elements, first, count, static (w, v) => w.WriteExpandedNodeId(v));
                break;
            case BuiltInType.StatusCode:
                Each(writer, (StatusCode[])elements, first, count, static (w, v) => w.WriteStatusCode(v));
                break;
            case BuiltInType.QualifiedName:
                Each(writer, (QualifiedName[])elements, first, count, static (w, v) => w.WriteQualifiedName(v));
                break;
            case BuiltInType.LocalizedText:
                Each(writer, (LocalizedText[])elements, first, count, static (w, v) => w.WriteLocalizedText(v));
                break;
            case BuiltInType.ExtensionObject:
                Each(writer, (ExtensionObject[])elements, first, count, static (w, v) => w.WriteExtensionObject(v));
                break;
            case BuiltInType.DataValue:
                Each(writer, (DataValue[])elements, first, count, static (w, v) => w.WriteDataValue(v));
                break;
            case BuiltInType.Variant:
                Each(writer, (Variant[])elements, first, count, static (w, v) => w.WriteVariant(v));
                break;
            default:
                Each(writer, (DiagnosticInfo?[])elements, first, count, static (w, v) => w.WriteDiagnosticInfo(v));
                break;
        }
    }

    /// <summary>Stops early if the text has failed.</summary>
    internal static void Each<T>(UaJsonWriter writer, T[] elements, int first, int count, Action<UaJsonWriter, T> write)
    {
        writer.Json.WriteStartArray();
        foreach (var element in elements.AsSpan(first, count))
        {
            if (writer.Failed)
                break;
            write(writer, element);
        }

        writer.Json.WriteEndArray();
    }

    /// <summary>Null after an error.</summary>
    internal static T[]? ReadEach<T>(ref UaJsonReader reader, ReadElement<T> read)
    {
        if (!reader.BeginArray())
            return null;
        var values = Array.Empty<T>();
        var count = 0;
        while (reader.NextElement())
        {
            if (count == values.Length && !TryGrow(ref reader, ref values))
                return null;
            values[count++] = read(ref reader);
        }

        if (reader.Failed)
            return null;
        if (count < values.Length)
            Array.Resize(ref values, count);
        return values;
    }

    private static bool TryGrow<T>(ref UaJsonReader reader, ref T[] values)
    {
        var most = reader.MaxElements;
        if (values.Length >= most)
        {
            reader.Fail(
                most < reader.Limits.MaxArrayLength
                    ? StatusCodes.BadTooManyOperations
                    : StatusCodes.BadEncodingLimitsExceeded,
                "too many elements");
            return false;
        }

        var size = (int)Math.Min(Math.Max(2L * values.Length, FirstElements), most);
        if (!reader.TryCharge(DecodedSize.OfArray<T>(size - values.Length)))
            return false;
        Array.Resize(ref values, size);
        return true;
    }
}
