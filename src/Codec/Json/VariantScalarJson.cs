using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>The scalar forms of a Variant. Source: Part 6 §5.4.2.17.</summary>
internal static class VariantScalarJson
{
    public static void Write(UaJsonWriter writer, in Variant value)
    {
        switch (value.Type)
        {
            case BuiltInType.Boolean:
                writer.WriteBoolean(value.AsBoolean());
                break;
            case <= BuiltInType.UInt32:
                writer.Json.WriteNumberValue(value.AsInt64());
                break;
            case BuiltInType.Int64:
                writer.WriteInt64(value.AsInt64());
                break;
            case BuiltInType.UInt64:
                writer.WriteUInt64(value.AsUInt64());
                break;
            case BuiltInType.Float:
                writer.WriteFloat(value.AsFloat());
                break;
            case BuiltInType.Double:
                writer.WriteDouble(value.AsDouble());
                break;
            case BuiltInType.String:
                writer.WriteString(value.AsString());
                break;
            case BuiltInType.DateTime:
                writer.WriteDateTime(value.AsDateTime());
                break;
            default:
                WriteReference(writer, value);
                break;
        }
    }

    /// <summary>NULL is the type's default if the type can be null; otherwise it is an error.</summary>
    public static Variant Read(ref UaJsonReader reader, BuiltInType type)
    {
        if (type is > BuiltInType.DateTime and not BuiltInType.StatusCode &&
            !reader.TryCharge(Binary.DecodedSize.Box))
            return default;
        return type switch
        {
            BuiltInType.Boolean => new Variant(reader.ReadBoolean()),
            BuiltInType.SByte => new Variant(reader.ReadSByte()),
            BuiltInType.Byte => new Variant(reader.ReadByte()),
            BuiltInType.Int16 => new Variant(reader.ReadInt16()),
            BuiltInType.UInt16 => new Variant(reader.ReadUInt16()),
            BuiltInType.Int32 => new Variant(reader.ReadInt32()),
            BuiltInType.UInt32 => new Variant(reader.ReadUInt32()),
            BuiltInType.Int64 => new Variant(reader.ReadInt64()),
            BuiltInType.UInt64 => new Variant(reader.ReadUInt64()),
            BuiltInType.Float => new Variant(reader.ReadFloat()),
            BuiltInType.Double => new Variant(reader.ReadDouble()),
            BuiltInType.String => new Variant(reader.ReadString()),
            BuiltInType.DateTime => new Variant(reader.ReadDateTime()),
            BuiltInType.Guid => new Variant(reader.ReadGuid()),
            BuiltInType.ByteString => Variant.FromByteString(reader.ReadByteString()),
            BuiltInType.XmlElement => new Variant(reader.ReadXmlElement()),
            BuiltInType.NodeId => new Variant(reader.ReadNodeId()),
            BuiltInType.ExpandedNodeId => new Variant(reader.ReadExpandedNodeId()),
            BuiltInType.StatusCode => new Variant(reader.ReadStatusCode()),
            BuiltInType.QualifiedName => new Variant(reader.ReadQualifiedName()),
            BuiltInType.LocalizedText => new Variant(reader.ReadLocalizedText()),
            BuiltInType.ExtensionObject => new Variant(reader.ReadExtensionObject()),
            BuiltInType.DataValue => new Variant(reader.ReadDataValue()),
            _ => new Variant(reader.ReadDiagnosticInfo()),
        };
    }

    /// <summary>The content of a Variant without a Value. Variant as an element type occurs in arrays only: a null
    /// array.</summary>
    public static Variant Default(BuiltInType type) => type switch
    {
        BuiltInType.Null => default,
        BuiltInType.Boolean => new Variant(false),
        BuiltInType.SByte => new Variant((sbyte)0),
        BuiltInType.Byte => new Variant((byte)0),
        BuiltInType.Int16 => new Variant((short)0),
        BuiltInType.UInt16 => new Variant((ushort)0),
        BuiltInType.Int32 => new Variant(0),
        BuiltInType.UInt32 => new Variant(0u),
        BuiltInType.Int64 => new Variant(0L),
        BuiltInType.UInt64 => new Variant(0UL),
        BuiltInType.Float => new Variant(0f),
        BuiltInType.Double => new Variant(0d),
        BuiltInType.String => new Variant((string?)null),
        BuiltInType.DateTime => new Variant(DateTime.MinValue),
        BuiltInType.Guid => new Variant(Guid.Empty),
        BuiltInType.ByteString => Variant.FromByteString(null),
        BuiltInType.XmlElement => new Variant(default(XmlElement)),
        BuiltInType.NodeId => new Variant(default(NodeId)),
        BuiltInType.ExpandedNodeId => new Variant(default(ExpandedNodeId)),
        BuiltInType.StatusCode => new Variant(StatusCode.Good),
        BuiltInType.QualifiedName => new Variant(default(QualifiedName)),
        BuiltInType.LocalizedText => new Variant(default(LocalizedText)),
        BuiltInType.ExtensionObject => new Variant(default(ExtensionObject)),
        BuiltInType.DataValue => new Variant(default(DataValue)),
        BuiltInType.Variant => Variant.FromArray(type, null),
        _ => new Variant((DiagnosticInfo?)null),
    };

    private static void WriteReference(UaJsonWriter writer, in Variant value)
    {
        switch (value.Type)
        {
            case BuiltInType.Guid:
                writer.WriteGuid(value.AsGuid());
                break;
            case BuiltInType.ByteString:
                writer.WriteByteString(value.AsByteString());
                break;
            case BuiltInType.XmlElement:
                writer.WriteXmlElement(value.AsXmlElement());
                break;
            case BuiltInType.NodeId:
                writer.WriteNodeId(value.AsNodeId());
                break;
            case BuiltInType.ExpandedNodeId:
                writer.WriteExpandedNodeId(value.AsExpandedNodeId());
                break;
            case BuiltInType.StatusCode:
                writer.WriteStatusCode(value.AsStatusCode());
                break;
            case BuiltInType.QualifiedName:
                writer.WriteQualifiedName(value.AsQualifiedName());
                break;
            case BuiltInType.LocalizedText:
                writer.WriteLocalizedText(value.AsLocalizedText());
                break;
            case BuiltInType.ExtensionObject:
                writer.WriteExtensionObject(value.AsExtensionObject());
                break;
            case BuiltInType.DataValue:
                writer.WriteDataValue(value.AsDataValue());
                break;
            default:
                writer.WriteDiagnosticInfo(value.AsDiagnosticInfo());
                break;
        }
    }
}
