using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json.Definitions;

/// <summary>What is known of DataTypes at run time: an address space has it. Threads: any. Source: Part 3 §8.47 to
/// §8.52.</summary>
public interface IDataTypeDefinitions
{
    /// <summary>The DataType that an encoding's NodeId stands for; null: not known.</summary>
    NodeId DataTypeOf(NodeId encodingId);

    /// <summary>The NodeId of its Default Binary encoding; null: it has none.</summary>
    NodeId BinaryEncodingOf(NodeId dataTypeId);

    /// <summary>The NodeId of its Default XML encoding; null: it has none.</summary>
    NodeId XmlEncodingOf(NodeId dataTypeId) => default;

    /// <summary>With inherited fields; null: it has none.</summary>
    DataTypeDefinition? DefinitionOf(NodeId dataTypeId);

    /// <summary>Null: it allows several, or is not known.</summary>
    BuiltInType BuiltInTypeOf(NodeId dataTypeId);
}
