namespace Gateway.Codec.Types;

/// <summary>Shape: namespace index and one of four identifiers; the default is the null NodeId (ns=0;i=0).
/// Text form: <see cref="NodeIdText"/>. Source: Part 3 §8.2, Part 6 §5.2.2.9.</summary>
public readonly struct NodeId : IEquatable<NodeId>
{
    private readonly object? _identifier;
    private readonly uint _numeric;

    public NodeId(uint identifier, ushort namespaceIndex = 0)
    {
        _numeric = identifier;
        NamespaceIndex = namespaceIndex;
    }

    public NodeId(string? identifier, ushort namespaceIndex)
    {
        _identifier = identifier ?? string.Empty;
        NamespaceIndex = namespaceIndex;
        IdType = IdType.String;
    }

    public NodeId(Guid identifier, ushort namespaceIndex)
    {
        _identifier = identifier;
        NamespaceIndex = namespaceIndex;
        IdType = IdType.Guid;
    }

    /// <summary>The bytes are kept, not copied: the caller gives them away.</summary>
    public NodeId(byte[]? identifier, ushort namespaceIndex)
    {
        _identifier = identifier ?? [];
        NamespaceIndex = namespaceIndex;
        IdType = IdType.Opaque;
    }

    private NodeId(in NodeId source, ushort namespaceIndex)
    {
        _identifier = source._identifier;
        _numeric = source._numeric;
        IdType = source.IdType;
        NamespaceIndex = namespaceIndex;
    }

    public static NodeId Null => default;

    public ushort NamespaceIndex { get; }

    public IdType IdType { get; }

    /// <summary>The numeric identifier; 0 for the other kinds.</summary>
    public uint Numeric => _numeric;

    /// <summary>The string identifier; null for the other kinds.</summary>
    public string? String => _identifier as string;

    public Guid Guid => _identifier is Guid guid ? guid : default;

    public byte[]? Opaque => _identifier as byte[];

    public bool IsNull => NamespaceIndex == 0 && IdType switch
    {
        IdType.Numeric => _numeric == 0,
        IdType.String => ((string)_identifier!).Length == 0,
        IdType.Guid => (Guid)_identifier! == Guid.Empty,
        _ => ((byte[])_identifier!).Length == 0,
    };

    /// <summary>The same identifier in another namespace.</summary>
    public NodeId WithNamespace(ushort namespaceIndex) => new(this, namespaceIndex);

    public static bool operator ==(NodeId left, NodeId right) => left.Equals(right);

    public static bool operator !=(NodeId left, NodeId right) => !left.Equals(right);

    public bool Equals(NodeId other)
    {
        if (_numeric != other._numeric || NamespaceIndex != other.NamespaceIndex || IdType != other.IdType)
            return false;
        return IdType switch
        {
            IdType.Numeric => true,
            IdType.String => string.Equals((string)_identifier!, (string)other._identifier!, StringComparison.Ordinal),
            IdType.Guid => (Guid)_identifier! == (Guid)other._identifier!,
            _ => ((byte[])_identifier!).AsSpan().SequenceEqual((byte[])other._identifier!),
        };
    }

    public override bool Equals(object? obj) => obj is NodeId other && Equals(other);

    public override int GetHashCode()
    {
        if (IdType == IdType.Numeric)
            return HashCode.Combine(_numeric, NamespaceIndex);
        var hash = default(HashCode);
        hash.Add(NamespaceIndex);
        if (_identifier is byte[] opaque)
            hash.AddBytes(opaque);
        else
            hash.Add(_identifier);
        return hash.ToHashCode();
    }

    public override string ToString() => NodeIdText.Format(this);
}
