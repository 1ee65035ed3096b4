using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>Finds how a structure stands in JSON: the declared ones, and those that a DataTypeDefinition defines.
/// Threads: any.</summary>
public interface IJsonStructures
{
    /// <summary>By the id of its binary encoding, which an ExtensionObject carries; null: unknown.</summary>
    IJsonStructureType? FindByEncoding(NodeId encodingId);

    /// <summary>By the id of its DataType, which JSON carries; null: unknown.</summary>
    IJsonStructureType? FindByDataType(NodeId dataTypeId);

    /// <summary>The DataType of an encoding's NodeId, even if its fields are unknown; null: unknown.</summary>
    NodeId DataTypeOf(NodeId encodingId);

    /// <summary>The NodeId of a DataType's encoding, even if its fields are unknown; null: unknown.</summary>
    NodeId EncodingOf(NodeId dataTypeId, ExtensionObjectEncoding encoding);
}
