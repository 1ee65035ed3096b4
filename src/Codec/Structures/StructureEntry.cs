using Gateway.Codec.Binary;

namespace Gateway.Codec.Structures;

/// <summary>A structure that the codec knows, with the ids (namespace 0) that name it on the wire.</summary>
/// <param name="DataTypeId">Of the DataType.</param>
/// <param name="BinaryEncodingId">Of its Default Binary encoding.</param>
/// <param name="Type">The declaration.</param>
/// <param name="DecodeBinary">Reads the body of an ExtensionObject. Errors: the reader's status.</param>
public sealed record StructureEntry(
    uint DataTypeId, uint BinaryEncodingId, Type Type, StructureEntry.BinaryDecoder DecodeBinary)
{
    public delegate IStructure BinaryDecoder(ref UaBinaryReader reader);
}
