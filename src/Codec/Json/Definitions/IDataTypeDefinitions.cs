using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json.Definitions;

/// <summary>DataTypes that are known only at run time; an address space implements it. Threads: any. Source: Part 3
/// §8.47 to §8.52.</summary>
public interface IDataTypeDefinitions
{
    /// <summary>The DataType of an encoding's NodeId; null: unknown.</summary>
    NodeId DataTypeOf(NodeId encodingId);

    /// <summary>The NodeId of its Default Binary encoding; null: none.</summary>
    NodeId BinaryEncodingOf(NodeId dataTypeId);

    /// <summary>The NodeId of its Default XML encoding; null: none.</summary>
    NodeId XmlEncodingOf(NodeId dataTypeId) => default;

    /// <summary>With inherited fields; null: none.</summary>
    DataTypeDefinition? DefinitionOf(NodeId dataTypeId);

    /// <summary>Null: the DataType allows several built-in types, or is unknown.</summary>
    BuiltInType BuiltInTypeOf(NodeId dataTypeId);
}
