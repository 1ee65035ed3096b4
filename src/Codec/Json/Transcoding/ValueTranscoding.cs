using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json.Transcoding;

/// <summary>One value of a built-in type from UA Binary that was checked before. Source: Part 6 §5.2.2, §5.4.2.
/// </summary>
internal static class ValueTranscoding
{
    public static void Write(UaJsonWriter writer, ref UaBinaryReader reader, BuiltInType type)
    {
        switch (type)
        {
            case BuiltInType.Boolean:
                writer.WriteBoolean(reader.ReadBoolean());
                break;
            case BuiltInType.SByte:
                writer.WriteSByte(reader.ReadSByte());
                break;
            case BuiltInType.Byte:
                writer.WriteByte(reader.ReadByte());
                break;
            case BuiltInType.Int16:
                writer.WriteInt16(reader.ReadInt16());
                break;
            case BuiltInType.UInt16:
                writer.WriteUInt16(reader.ReadUInt16());
                break;
            case BuiltInType.Int32:
                writer.WriteInt32(reader.ReadInt32());
                break;
            case BuiltInType.UInt32:
                writer.WriteUInt32(reader.ReadUInt32());
                break;
            case BuiltInType.Int64:
                writer.WriteInt64(reader.ReadInt64());
                break;
            case BuiltInType.UInt64:
                writer.WriteUInt64(reader.ReadUInt64());
                break;
            case BuiltInType.Float:
                writer.WriteFloat(reader.ReadFloat());
                break;
            case BuiltInType.Double:
                writer.WriteDouble(reader.ReadDouble());
                break;
            case BuiltInType.DateTime:
                writer.WriteDateTime(reader.ReadDateTime());
                break;
            case BuiltInType.Guid:
                writer.WriteGuid(reader.ReadGuid());
                break;
            case BuiltInType.StatusCode:
                writer.WriteStatusCode(reader.ReadStatusCode());
                break;
            default:
                WriteVariable(writer, ref reader, type);
                break;
        }
    }

    /// <summary>Whether a Variant of it has no value. Source: Part 6 §5.1.2.</summary>
    public static bool IsNull(UaBinaryReader reader, BuiltInType type) => type switch
    {
        BuiltInType.String or BuiltInType.ByteString or BuiltInType.XmlElement => reader.ReadInt32() < 0,
        BuiltInType.DateTime => reader.ReadInt64() <= 0,
        BuiltInType.Guid => reader.ReadGuid() == Guid.Empty,
        BuiltInType.NodeId => JsonNodeId.Read(ref reader, isExpanded: false).IsNull,
        BuiltInType.ExpandedNodeId => JsonNodeId.Read(ref reader, isExpanded: true).IsNull,
        BuiltInType.QualifiedName => (reader.ReadUInt16(), reader.ReadInt32()).Item2 <= 0,
        BuiltInType.LocalizedText => IsNullLocalizedText(ref reader),
        BuiltInType.ExtensionObject => IsNullExtensionObject(ref reader),
        BuiltInType.DataValue => DataValueTranscoding.IsNull(reader),
        BuiltInType.DiagnosticInfo => reader.ReadByte() == 0,
        _ => false,
    };

    private static void WriteVariable(UaJsonWriter writer, ref UaBinaryReader reader, BuiltInType type)
    {
        switch (type)
        {
            case BuiltInType.String or BuiltInType.XmlElement:
                writer.WriteText(ReadText(ref reader));
                break;
            case BuiltInType.ByteString:
                WriteByteString(writer, ref reader);
                break;
            case BuiltInType.NodeId:
                NodeIdJson.Write(writer, JsonNodeId.Read(ref reader, isExpanded: false));
                break;
            case BuiltInType.ExpandedNodeId:
                NodeIdJson.Write(writer, JsonNodeId.Read(ref reader, isExpanded: true));
                break;
            case BuiltInType.QualifiedName:
                QualifiedNameJson.Write(writer, reader.ReadUInt16(), ReadText(ref reader));
                break;
            case BuiltInType.LocalizedText:
                ReadLocalizedText(ref reader, out var text, out var locale);
                LocalizedTextJson.Write(writer, text, locale);
                break;
            default:
                WriteRecursive(writer, ref reader, type);
                break;
        }
    }

    /// <summary>The writer counts the levels, because the reader of a body begins anew (R01).</summary>
    private static void WriteRecursive(UaJsonWriter writer, ref UaBinaryReader reader, BuiltInType type)
    {
        if (!writer.TryEnter())
        {
            ValueSkip.Value(ref reader, type);
            writer.WriteNull();
            return;
        }

        switch (type)
        {
            case BuiltInType.ExtensionObject:
                WriteExtensionObject(writer, ref reader);
                break;
            case BuiltInType.DataValue:
                DataValueTranscoding.Write(writer, ref reader);
                break;
            case BuiltInType.Variant:
                VariantTranscoding.Write(writer, ref reader);
                break;
            default:
                WriteDiagnosticInfo(writer, ref reader);
                break;
        }

        writer.Leave();
    }

    private static JsonText ReadText(ref UaBinaryReader reader) =>
        TryReadBytes(ref reader, out var bytes) ? new JsonText(bytes) : default;

    /// <summary>False for null.</summary>
    private static bool TryReadBytes(ref UaBinaryReader reader, out ReadOnlySpan<byte> bytes)
    {
        bytes = default;
        var length = reader.ReadInt32();
        return length >= 0 && reader.TryTake(length, out bytes);
    }

    private static void WriteByteString(UaJsonWriter writer, ref UaBinaryReader reader)
    {
        if (TryReadBytes(ref reader, out var bytes))
            writer.WriteByteString(bytes);
        else
            writer.WriteNull();
    }

    private static void ReadLocalizedText(ref UaBinaryReader reader, out JsonText text, out JsonText locale)
    {
        var mask = reader.ReadByte();
        locale = (mask & 0x01) != 0 ? ReadText(ref reader) : default;
        text = (mask & 0x02) != 0 ? ReadText(ref reader) : default;
    }

    private static bool IsNullLocalizedText(ref UaBinaryReader reader)
    {
        ReadLocalizedText(ref reader, out var text, out var locale);
        return text.IsNullOrEmpty && locale.IsNullOrEmpty;
    }

    private static bool IsNullExtensionObject(ref UaBinaryReader reader)
    {
        var isNull = JsonNodeId.Read(ref reader, isExpanded: false).IsNull;
        return isNull && reader.ReadByte() switch { 0 => true, 1 => reader.ReadInt32() < 0, _ => false };
    }

    private static void WriteExtensionObject(UaJsonWriter writer, ref UaBinaryReader reader)
    {
        var typeId = JsonNodeId.Read(ref reader, isExpanded: false);
        var encoding = reader.ReadByte();
        if (encoding == 2)
        {
            ExtensionObjectJson.WriteXml(writer, typeId, ReadText(ref reader));
            return;
        }

        if (encoding == 1 && TryReadBytes(ref reader, out var body))
        {
            var known = writer.Format.Structures?.FindByEncoding(typeId.ToNodeId());
            ExtensionObjectJson.WriteBinary(writer, typeId, known, body);
        }
        else if (typeId.IsNull)
        {
            ExtensionObjectJson.WriteDefault(writer);
        }
        else
        {
            ExtensionObjectJson.WriteNoBody(writer, typeId);
        }
    }

    private static void WriteDiagnosticInfo(UaJsonWriter writer, ref UaBinaryReader reader)
    {
        var mask = reader.ReadByte();
        if (mask == 0)
        {
            writer.WriteNull();
            return;
        }

        writer.StartObject();
        DiagnosticInfoJson.WriteIndex(writer, JsonNames.SymbolicId, ReadIndex(ref reader, mask & 0x01));
        DiagnosticInfoJson.WriteIndex(writer, JsonNames.NamespaceUri, ReadIndex(ref reader, mask & 0x02));
        DiagnosticInfoJson.WriteIndex(writer, JsonNames.Locale, ReadIndex(ref reader, mask & 0x08));
        DiagnosticInfoJson.WriteIndex(writer, JsonNames.LocalizedText, ReadIndex(ref reader, mask & 0x04));
        var additional = (mask & 0x10) != 0 ? ReadText(ref reader) : default;
        if (!additional.IsNull)
            DiagnosticInfoJson.WriteAdditionalInfo(writer, additional);
        DiagnosticInfoJson.WriteInnerStatus(writer, (mask & 0x20) != 0 ? reader.ReadStatusCode() : default);
        if ((mask & 0x40) != 0)
            WriteInner(writer, ref reader);
        writer.EndObject();
    }

    private static int ReadIndex(ref UaBinaryReader reader, int isPresent) =>
        isPresent != 0 ? reader.ReadInt32() : -1;

    private static void WriteInner(UaJsonWriter writer, ref UaBinaryReader reader)
    {
        if (IsNull(reader, BuiltInType.DiagnosticInfo))
        {
            reader.Skip(1);
            return;
        }

        writer.Json.WritePropertyName(JsonNames.InnerDiagnosticInfo);
        WriteRecursive(writer, ref reader, BuiltInType.DiagnosticInfo);
    }
}
