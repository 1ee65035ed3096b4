using Gateway.Codec.Structures;

namespace Gateway.Codec.Types;

/// <summary>Shape: a type and a body that is a known structure, or the bytes, the XML or the JSON as they arrived.
/// 24 bytes. Source: Part 6 §5.2.2.15, §5.4.2.16.</summary>
public readonly struct ExtensionObject
{
    public ExtensionObject(IStructure? body)
    {
        Body = body;
        TypeId = body is null ? default : new NodeId(body.BinaryEncodingId);
    }

    /// <summary>A body of an unknown type: kept as its bytes. Null bytes mean no body.</summary>
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

    /// <summary>JSON names the DataType, not an encoding.</summary>
    public ExtensionObject(NodeId dataTypeId, JsonBody body)
    {
        TypeId = dataTypeId;
        Body = body;
    }

    /// <summary>The NodeId of the encoding; of a known structure its Default Binary one. With a JSON body that of the
    /// DataType.</summary>
    public NodeId TypeId { get; }

    /// <summary>An <see cref="IStructure"/>, a <c>byte[]</c>, an <see cref="XmlElement"/>, a <see cref="JsonBody"/>, or
    /// null.</summary>
    public object? Body { get; }

    /// <summary>The NodeId of the DataType where the value itself says it: of a known structure and of a JSON body.
    /// Null for the others, whose <see cref="TypeId"/> only the address space can look up.</summary>
    public NodeId DataTypeId => Body switch
    {
        IStructure structure => new NodeId(structure.DataTypeId),
        JsonBody => TypeId,
        _ => default,
    };

    /// <summary>Which encoding <see cref="TypeId"/> and <see cref="Body"/> belong to. A known structure, which any
    /// encoding can write, counts as Binary.</summary>
    public ExtensionObjectEncoding Encoding => Body switch
    {
        null => ExtensionObjectEncoding.None,
        XmlElement => ExtensionObjectEncoding.Xml,
        JsonBody => ExtensionObjectEncoding.Json,
        _ => ExtensionObjectEncoding.Binary,
    };

    public bool IsNull => Body is null && TypeId.IsNull;

    public override string ToString() => Body?.ToString() ?? TypeId.ToString();
}
