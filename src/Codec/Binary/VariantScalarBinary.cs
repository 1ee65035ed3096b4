using Gateway.Codec.Types;

namespace Gateway.Codec.Binary;

/// <summary>The scalar forms of a Variant. Source: Part 6 §5.2.2.16.</summary>
internal static class VariantScalarBinary
{
    public static Variant Read(ref UaBinaryReader reader, BuiltInType type) =>
        type > BuiltInType.DateTime && !reader.TryCharge(DecodedSize.Box) ? default : ReadCharged(ref reader, type);

    private static Variant ReadCharged(ref UaBinaryReader reader, BuiltInType type) => type switch
    {
        BuiltInType.Null => default,
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

    public static void Write(ref UaBinaryWriter writer, in Variant value)
    {
        switch (value.Type)
        {
            case BuiltInType.Null:
                break;
            case BuiltInType.Boolean or BuiltInType.SByte or BuiltInType.Byte:
                writer.WriteByte((byte)value.AsInt64());
                break;
            case BuiltInType.Int16 or BuiltInType.UInt16:
                writer.WriteUInt16((ushort)value.AsInt64());
                break;
            case BuiltInType.Int32 or BuiltInType.UInt32:
                writer.WriteUInt32((uint)value.AsInt64());
                break;
            case BuiltInType.Int64 or BuiltInType.UInt64:
                writer.WriteInt64(value.AsInt64());
                break;
            case BuiltInType.Float:
                writer.WriteFloat(value.AsFloat());
                break;
            case BuiltInType.Double:
                writer.WriteDouble(value.AsDouble());
                break;
            case BuiltInType.StatusCode:
                writer.WriteStatusCode(value.AsStatusCode());
                break;
            case BuiltInType.DateTime:
                writer.WriteDateTime(value.AsDateTime());
                break;
            default:
                WriteReference(ref writer, value);
                break;
        }
    }

    private static void WriteReference(ref UaBinaryWriter writer, in Variant value)
    {
        switch (value.Type)
        {
            case BuiltInType.String:
                writer.WriteString(value.AsString());
                break;
            case BuiltInType.Guid:
                writer.WriteGuid(value.AsGuid());
                break;
            case BuiltInType.ByteString:
                writer.WriteByteString(value.AsByteString());
                break;
            case BuiltInType.XmlElement:
                writer.WriteString(value.AsXmlElement().Value);
                break;
            case BuiltInType.NodeId:
                writer.WriteNodeId(value.AsNodeId());
                break;
            case BuiltInType.ExpandedNodeId:
                writer.WriteExpandedNodeId(value.AsExpandedNodeId());
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
