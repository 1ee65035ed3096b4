using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Values;

/// <summary>Which encoding of a value a client may ask for: structures have some, of which OPC UA Binary is served;
/// nothing else has any. Source: Part 3 §5.8.4, Part 4 §5.11.2.</summary>
public static class DataEncoding
{
    /// <summary>Errors: Bad_DataEncodingInvalid where there is no such encoding of the attribute,
    /// Bad_DataEncodingUnsupported where there is and it is not served.</summary>
    public static StatusCode Check(NodeTable nodes, NodeHandle node, AttributeId attribute, in QualifiedName encoding)
    {
        if (encoding.IsNull)
            return StatusCode.Good;
        if (attribute != AttributeId.Value || encoding.NamespaceIndex != 0 || !MayBeStructure(nodes, node))
            return StatusCodes.BadDataEncodingInvalid;
        return encoding.Name switch
        {
            "Default Binary" => StatusCodes.Good,
            "Default XML" or "Default JSON" => StatusCodes.BadDataEncodingUnsupported,
            _ => StatusCodes.BadDataEncodingInvalid,
        };
    }

    /// <summary>BaseDataType holds them too.</summary>
    private static bool MayBeStructure(NodeTable nodes, NodeHandle node)
    {
        if (nodes.GetNodeClass(node) != NodeClass.Variable)
            return true;
        var facts = nodes.GetVariableFacts(node);
        return facts.BuiltInType == BuiltInType.ExtensionObject ||
            (facts.BuiltInType == BuiltInType.Null && facts.DataType == new NodeId(StandardIds.DataTypes.BaseDataType));
    }
}
