using Gateway.Codec.Structures;

namespace Gateway.AddressSpace.Import;

/// <summary>The fields that a DataType adds to its supertype's: one of the two lists is used.</summary>
internal sealed record OwnFields(StructureType StructureType, StructureField[] Fields, EnumField[] EnumFields)
{
    /// <summary>As the file marks it; the supertype decides on an empty definition.</summary>
    public bool IsEnumeration { get; init; }
}
