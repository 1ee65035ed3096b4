using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Nodes;

/// <summary>
/// One node in 48 bytes. Rare facts lie in <see cref="Extra"/>, facts shared by many in the facts table. Identity
/// (NodeId, class, BrowseName) is written before the record can be found and never again. An update writes
/// <see cref="Extra"/>, <see cref="Facts"/>, <see cref="Source"/> and the flags, each in one piece.
/// </summary>
internal struct NodeRecord
{
    public const byte IdTypeMask = 0x03;
    public const byte Pending = 0x04;
    public const byte Removed = 0x08;
    public const byte Abstract = 0x10;

    /// <summary>Symmetric (ReferenceType), ContainsNoLoops (View), Executable (Method).</summary>
    public const byte ClassFlag = 0x20;

    /// <summary>The node or its namespace has an <see cref="AccessRule"/>: all others cost a check of rights this one
    /// bit.</summary>
    public const byte Ruled = 0x40;

    /// <summary>A string, a boxed Guid or bytes; null for a numeric identifier.</summary>
    public object? Identifier;
    public string? Name;

    /// <summary>Null, the DisplayName's text, or <see cref="NodeExtras"/>.</summary>
    public object? Extra;

    /// <summary>Where the references lie: see <see cref="ReferenceArena"/>.</summary>
    public long References;
    public uint Numeric;

    /// <summary>Index into the facts table (Variable, VariableType), or the EventNotifier (Object, View).</summary>
    public int Facts;
    public ushort NamespaceIndex;
    public ushort BrowseNamespaceIndex;
    public ushort Source;
    public byte Class;
    public byte Flags;

    /// <summary>Findable: neither still being added nor removed.</summary>
    public readonly bool IsLive => Class != 0 && (Volatile.Read(in Flags) & (Pending | Removed)) == 0;

    public readonly NodeClass NodeClass => (NodeClass)Class;

    public readonly NodeId NodeId => (IdType)(Flags & IdTypeMask) switch
    {
        IdType.Numeric => new NodeId(Numeric, NamespaceIndex),
        IdType.String => new NodeId((string)Identifier!, NamespaceIndex),
        IdType.Guid => new NodeId((Guid)Identifier!, NamespaceIndex),
        _ => new NodeId((byte[])Identifier!, NamespaceIndex),
    };

    public readonly bool HasId(in NodeId id)
    {
        if (Numeric != id.Numeric || NamespaceIndex != id.NamespaceIndex || (Flags & IdTypeMask) != (byte)id.IdType)
            return false;
        return id.IdType switch
        {
            IdType.Numeric => true,
            IdType.String => string.Equals((string?)Identifier, id.String, StringComparison.Ordinal),
            IdType.Guid => (Guid)Identifier! == id.Guid,
            _ => ((byte[])Identifier!).AsSpan().SequenceEqual(id.Opaque),
        };
    }
}
