using Gateway.Codec.Structures;

namespace Gateway.Codec.Types;

/// <summary>Shape: a type and a body that is a known structure, or the bytes or XML as they arrived.
/// Source: Part 6 §5.2.2.15.</summary>
public readonly struct ExtensionObject
{
    public ExtensionObject(IStructure? body)
    {
        Body = body;
        TypeId = body is null ? default : new NodeId(body.BinaryEncodingId);
    }

    /// <summary>A body that nobody here knows: kept as its bytes. Null bytes mean no body.</summary>
    public ExtensionObject(NodeId typeId, byte[]? body)
    {
        TypeId = typeId;
        Body = body;
    }

    public ExtensionObject(NodeId typeId, XmlElement body)
    {
        TypeId = typeId;
        Body = body;
    }

    /// <summary>The encoding's NodeId (not the DataType's).</summary>
    public NodeId TypeId { get; }

    /// <summary>An <see cref="IStructure"/>, a <c>byte[]</c>, an <see cref="XmlElement"/>, or null.</summary>
    public object? Body { get; }

    public bool IsNull => Body is null && TypeId.IsNull;

    public override string ToString() => Body?.ToString() ?? TypeId.ToString();
}
