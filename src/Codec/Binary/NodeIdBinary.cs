using Gateway.Codec.Types;

namespace Gateway.Codec.Binary;

/// <summary>NodeId and ExpandedNodeId in their most compact form.
/// Encoding byte: 0 two-byte, 1 four-byte, 2 numeric, 3 string, 4 GUID, 5 opaque; 0x80 namespace URI, 0x40 server
/// index. Source: Part 6 §5.2.2.9, §5.2.2.10.</summary>
internal static class NodeIdBinary
{
    public const byte NamespaceUriFlag = 0x80;
    public const byte ServerIndexFlag = 0x40;

    public static NodeId Read(ref UaBinaryReader reader, byte encoding)
    {
        var index = encoding switch
        {
            0 => (ushort)0,
            1 => reader.ReadByte(),
            _ => reader.ReadUInt16(),
        };
        switch (encoding)
        {
            case 0:
                return new NodeId(reader.ReadByte());
            case 1:
                return new NodeId(reader.ReadUInt16(), index);
            case 2:
                return new NodeId(reader.ReadUInt32(), index);
            case 3:
                return new NodeId(reader.ReadString(), index);
            case 4:
                return reader.TryCharge(DecodedSize.Box) ? new NodeId(reader.ReadGuid(), index) : default;
            case 5:
                return new NodeId(reader.ReadByteString(), index);
            default:
                reader.Fail(StatusCodes.BadDecodingError);
                return default;
        }
    }

    public static ExpandedNodeId ReadExpanded(ref UaBinaryReader reader)
    {
        var encoding = reader.ReadByte();
        var nodeId = Read(ref reader, (byte)(encoding & 0x3F));
        var uri = (encoding & NamespaceUriFlag) != 0 ? reader.ReadString() : null;
        var server = (encoding & ServerIndexFlag) != 0 ? reader.ReadUInt32() : 0;
        return new ExpandedNodeId(nodeId, uri, server);
    }

    public static void Write(ref UaBinaryWriter writer, in NodeId value, byte flags = 0)
    {
        switch (value.IdType)
        {
            case IdType.Numeric when value.NamespaceIndex == 0 && value.Numeric <= byte.MaxValue:
                writer.WriteByte(flags);
                writer.WriteByte((byte)value.Numeric);
                break;
            case IdType.Numeric when value.NamespaceIndex <= byte.MaxValue && value.Numeric <= ushort.MaxValue:
                writer.WriteByte((byte)(1 | flags));
                writer.WriteByte((byte)value.NamespaceIndex);
                writer.WriteUInt16((ushort)value.Numeric);
                break;
            case IdType.Numeric:
                writer.WriteByte((byte)(2 | flags));
                writer.WriteUInt16(value.NamespaceIndex);
                writer.WriteUInt32(value.Numeric);
                break;
            case IdType.String:
                writer.WriteByte((byte)(3 | flags));
                writer.WriteUInt16(value.NamespaceIndex);
                writer.WriteString(value.String);
                break;
            case IdType.Guid:
                writer.WriteByte((byte)(4 | flags));
                writer.WriteUInt16(value.NamespaceIndex);
                writer.WriteGuid(value.Guid);
                break;
            default:
                writer.WriteByte((byte)(5 | flags));
                writer.WriteUInt16(value.NamespaceIndex);
                writer.WriteByteString(value.Opaque);
                break;
        }
    }

    public static void WriteExpanded(ref UaBinaryWriter writer, in ExpandedNodeId value)
    {
        var hasUri = !string.IsNullOrEmpty(value.NamespaceUri);
        var flags = (hasUri ? NamespaceUriFlag : 0) | (value.ServerIndex != 0 ? ServerIndexFlag : 0);
        Write(ref writer, value.NodeId, (byte)flags);
        if (hasUri)
            writer.WriteString(value.NamespaceUri);
        if (value.ServerIndex != 0)
            writer.WriteUInt32(value.ServerIndex);
    }
}
