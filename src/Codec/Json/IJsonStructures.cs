using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>Finds how a structure stands in JSON: the declared ones, and those that a DataTypeDefinition defines.
/// Threads: any.</summary>
public interface IJsonStructures
{
    /// <summary>By the id of its binary encoding, which an ExtensionObject carries; null: not known.</summary>
    IJsonStructureType? FindByEncoding(NodeId encodingId);

    /// <summary>By the id of its DataType, which JSON carries; null: not known.</summary>
    IJsonStructureType? FindByDataType(NodeId dataTypeId);

    /// <summary>The DataType that an encoding's NodeId stands for, also where its fields are not known; null: not
    /// known.</summary>
    NodeId DataTypeOf(NodeId encodingId);

    /// <summary>The NodeId of a DataType's encoding, also where its fields are not known; null: not known.</summary>
    NodeId EncodingOf(NodeId dataTypeId, ExtensionObjectEncoding encoding);
}
