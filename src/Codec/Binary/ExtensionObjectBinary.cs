using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Binary;

/// <summary>ExtensionObject: TypeId, encoding byte (0 no body, 1 ByteString, 2 XML), length, body. A known body is
/// decoded in place, within its length; an unknown one is kept as its bytes, and so is one that cannot be decoded where
/// <see cref="DecodingLimits.KeepsUnreadableBodies"/> says so. Binary has no form for a JSON body: writing one is
/// Bad_EncodingError. Source: Part 6 §5.2.2.15.</summary>
internal static class ExtensionObjectBinary
{
    public static ExtensionObject Read(ref UaBinaryReader reader)
    {
        var typeId = reader.ReadNodeId();
        switch (reader.ReadByte())
        {
            case 0:
                return new ExtensionObject(typeId, (byte[]?)null);
            case 1:
                return ReadBody(ref reader, typeId);
            case 2:
                return new ExtensionObject(typeId, reader.ReadXmlElement());
            default:
                reader.Fail(StatusCodes.BadDecodingError);
                return default;
        }
    }

    public static void Write(ref UaBinaryWriter writer, in ExtensionObject value)
    {
        writer.WriteNodeId(value.TypeId);
        switch (value.Body)
        {
            case IStructure structure:
                writer.WriteByte(1);
                var start = writer.BeginLength();
                structure.Encode(ref writer);
                writer.EndLength(start);
                break;
            case byte[] bytes:
                writer.WriteByte(1);
                writer.WriteByteString(bytes);
                break;
            case XmlElement xml:
                writer.WriteByte(2);
                writer.WriteString(xml.Value);
                break;
            case JsonBody:
                writer.Fail(StatusCodes.BadEncodingError);
                break;
            default:
                writer.WriteByte(0);
                break;
        }
    }

    private static ExtensionObject ReadBody(ref UaBinaryReader reader, NodeId typeId)
    {
        if (typeId.NamespaceIndex != 0 || typeId.IdType != IdType.Numeric ||
            !StructureRegistry.TryGetByBinaryEncoding(typeId.Numeric, out var entry))
            return new ExtensionObject(typeId, reader.ReadByteString());

        var start = reader;
        var length = reader.ReadInt32();
        if (length < 0)
            return new ExtensionObject(typeId, (byte[]?)null);
        if (length > reader.Remaining)
            reader.Fail(StatusCodes.BadDecodingError);
        if (reader.Failed || !reader.TryEnter())
            return default;
        var end = reader.Position + length;
        var whole = reader.BeginBody(length);
        var body = entry.DecodeBinary(ref reader);
        reader.EndBody(whole, end);
        reader.Leave();
        if (reader.Failed && reader.TryGoBack(start))
            return new ExtensionObject(typeId, reader.ReadByteString());
        return reader.Failed ? default : new ExtensionObject(body);
    }
}
