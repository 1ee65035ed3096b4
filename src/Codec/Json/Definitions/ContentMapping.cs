using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json.Definitions;

/// <summary>Copies a field in UA Binary, with other ids in it. Errors: the reader's status.</summary>
internal static class ContentMapping
{
    /// <summary>Whether values of the type can hold a namespace index.</summary>
    public static bool HoldsIndexes(BuiltInType type) => type is BuiltInType.NodeId or BuiltInType.ExpandedNodeId
        or BuiltInType.QualifiedName or BuiltInType.ExtensionObject or BuiltInType.DataValue or BuiltInType.Variant;

    public static void One(
        ref UaBinaryReader reader, ref UaBinaryWriter writer, BuiltInType type, IContentMapper mapper)
    {
        switch (type)
        {
            case BuiltInType.NodeId:
                writer.WriteNodeId(mapper.Map(reader.ReadNodeId()));
                break;
            case BuiltInType.ExpandedNodeId:
                writer.WriteExpandedNodeId(mapper.Map(reader.ReadExpandedNodeId()));
                break;
            case BuiltInType.QualifiedName:
                writer.WriteQualifiedName(mapper.Map(reader.ReadQualifiedName()));
                break;
            case BuiltInType.ExtensionObject:
                writer.WriteExtensionObject(mapper.Map(reader.ReadExtensionObject()));
                break;
            case BuiltInType.DataValue:
                writer.WriteDataValue(mapper.Map(reader.ReadDataValue()));
                break;
            default:
                writer.WriteVariant(mapper.Map(reader.ReadVariant()));
                break;
        }
    }
}
