namespace Gateway.Codec.Structures;

[Structure(15487, 126)]
public sealed partial class StructureDescription : DataTypeDescription
{
    public StructureDefinition StructureDefinition { get; init; } = new();
}
