using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Import;

/// <summary>Writes a scalar without a Variant's type byte, as a field of a structure; a null Variant writes the type's
/// default. Source: Part 6 §5.2.6.</summary>
internal static class XmlFieldWriter
{
    public static void Write(ref UaBinaryWriter writer, BuiltInType type, in Variant value)
    {
        switch (type)
        {
            case BuiltInType.Boolean: writer.WriteBoolean(value.AsBoolean()); break;
            case BuiltInType.SByte or BuiltInType.Byte: writer.WriteByte((byte)value.AsInt64()); break;
            case BuiltInType.Int16 or BuiltInType.UInt16: writer.WriteUInt16((ushort)value.AsInt64()); break;
            case BuiltInType.Int32 or BuiltInType.UInt32: writer.WriteUInt32((uint)value.AsInt64()); break;
            case BuiltInType.Int64 or BuiltInType.UInt64: writer.WriteInt64(value.AsInt64()); break;
            case BuiltInType.Float: writer.WriteFloat(value.AsFloat()); break;
            case BuiltInType.Double: writer.WriteDouble(value.IsNull ? 0 : value.AsDouble()); break;
            case BuiltInType.String: writer.WriteString(value.AsString()); break;
            case BuiltInType.DateTime: writer.WriteDateTime(value.AsDateTime()); break;
            case BuiltInType.Guid: writer.WriteGuid(value.AsGuid()); break;
            case BuiltInType.ByteString: writer.WriteByteString(value.AsByteString()); break;
            case BuiltInType.XmlElement: writer.WriteXmlElement(value.AsXmlElement()); break;
            case BuiltInType.NodeId: writer.WriteNodeId(value.AsNodeId()); break;
            case BuiltInType.ExpandedNodeId: writer.WriteExpandedNodeId(value.AsExpandedNodeId()); break;
            case BuiltInType.StatusCode: writer.WriteStatusCode(value.AsStatusCode()); break;
            case BuiltInType.QualifiedName: writer.WriteQualifiedName(value.AsQualifiedName()); break;
            case BuiltInType.LocalizedText: writer.WriteLocalizedText(value.AsLocalizedText()); break;
            case BuiltInType.ExtensionObject: writer.WriteExtensionObject(value.AsExtensionObject()); break;
            case BuiltInType.DataValue: writer.WriteDataValue(value.AsDataValue()); break;
            case BuiltInType.DiagnosticInfo: writer.WriteDiagnosticInfo(null); break;
            default: writer.WriteVariant(value); break;
        }
    }
}
