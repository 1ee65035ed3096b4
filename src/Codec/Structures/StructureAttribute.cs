namespace Gateway.Codec.Structures;

/// <summary>Declares a structure: the generator writes its reader and writer from the properties in the order in
/// which they are declared, base class first. Source of order and types: <c>Opc.Ua.Types.bsd</c>, compared by a test.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct)]
public sealed class StructureAttribute(uint dataTypeId, uint binaryEncodingId) : Attribute
{
    public uint DataTypeId { get; } = dataTypeId;

    public uint BinaryEncodingId { get; } = binaryEncodingId;
}
