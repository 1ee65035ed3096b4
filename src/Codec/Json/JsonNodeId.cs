using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>A NodeId or ExpandedNodeId for the writer, from an object or from UA Binary. Valid as long as its source.
/// </summary>
internal ref struct JsonNodeId
{
    public IdType IdType;
    public ushort NamespaceIndex;
    public uint Numeric;
    public Guid Guid;
    public JsonText Text;
    public ReadOnlySpan<byte> Opaque;

    /// <summary>Replaces the index unless it is empty.</summary>
    public JsonText NamespaceUri;

    public uint ServerIndex;
    public bool IsExpanded;

    public JsonNodeId(scoped in NodeId value)
    {
        IdType = value.IdType;
        NamespaceIndex = value.NamespaceIndex;
        Numeric = value.Numeric;
        switch (value.IdType)
        {
            case IdType.String:
                Text = new JsonText(value.String);
                break;
            case IdType.Guid:
                Guid = value.Guid;
                break;
            case IdType.Opaque:
                Opaque = value.Opaque;
                break;
        }
    }

    public JsonNodeId(scoped in ExpandedNodeId value)
        : this(value.NodeId)
    {
        IsExpanded = true;
        NamespaceUri = new JsonText(value.NamespaceUri);
        ServerIndex = value.ServerIndex;
    }

    public readonly bool IsNull =>
        NamespaceIndex == 0 && ServerIndex == 0 && NamespaceUri.IsNullOrEmpty && IdType switch
        {
            IdType.Numeric => Numeric == 0,
            IdType.String => Text.IsNullOrEmpty,
            IdType.Guid => Guid == Guid.Empty,
            _ => Opaque.IsEmpty,
        };

    /// <summary>Allocates unless it is numeric.</summary>
    public readonly NodeId ToNodeId()
    {
        if (IdType == IdType.Numeric)
            return new NodeId(Numeric, NamespaceIndex);
        if (IdType == IdType.Guid)
            return new NodeId(Guid, NamespaceIndex);
        return IdType == IdType.String
            ? new NodeId(Text.ToString(), NamespaceIndex)
            : new NodeId(Opaque.ToArray(), NamespaceIndex);
    }

    /// <summary>In the binary form, checked before. Source: Part 6 §5.2.2.9, §5.2.2.10.</summary>
    public static JsonNodeId Read(ref UaBinaryReader reader, bool isExpanded)
    {
        var encoding = reader.ReadByte();
        var id = new JsonNodeId { IsExpanded = isExpanded };
        var kind = isExpanded ? encoding & 0x3F : encoding;
        id.NamespaceIndex = kind switch { 0 => (ushort)0, 1 => reader.ReadByte(), _ => reader.ReadUInt16() };
        switch (kind)
        {
            case 0:
                id.Numeric = reader.ReadByte();
                break;
            case 1:
                id.Numeric = reader.ReadUInt16();
                break;
            case 2:
                id.Numeric = reader.ReadUInt32();
                break;
            case 3:
                id.IdType = IdType.String;
                id.Text = new JsonText(reader.ReadStringBytes());
                break;
            case 4:
                id.IdType = IdType.Guid;
                id.Guid = reader.ReadGuid();
                break;
            default:
                id.IdType = IdType.Opaque;
                id.Opaque = reader.ReadByteStringSpan();
                break;
        }

        if (isExpanded && (encoding & NodeIdBinary.NamespaceUriFlag) != 0)
            id.NamespaceUri = new JsonText(reader.ReadStringBytes());
        if (isExpanded && (encoding & NodeIdBinary.ServerIndexFlag) != 0)
            id.ServerIndex = reader.ReadUInt32();
        return id;
    }
}
