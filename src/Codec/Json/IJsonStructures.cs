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
}
