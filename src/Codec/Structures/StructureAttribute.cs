namespace Gateway.Codec.Structures;

/// <summary>Declares a structure: the generator writes its readers and writers from the properties in the order in
/// which they are declared, base class first. A property without a setter is no field. Source of order and types: the
/// standard's <c>Opc.Ua.Types.bsd</c> and the definitions in its NodeSet, compared by a test.</summary>
/// <param name="dataTypeId">Numeric id of the DataType, namespace 0.</param>
/// <param name="binaryEncodingId">Numeric id of its Default Binary encoding, namespace 0.</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct)]
public sealed class StructureAttribute(uint dataTypeId, uint binaryEncodingId) : Attribute
{
    public uint DataTypeId { get; } = dataTypeId;

    public uint BinaryEncodingId { get; } = binaryEncodingId;

    /// <summary>With optional fields, or a union: a class whose properties can all be null, of which one is set. A
    /// derived structure is of its base's kind. <see cref="AllowSubtypesAttribute"/> tells the other kinds.</summary>
    public StructureType StructureType { get; init; }
}
