using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(101, 14844)]
public sealed partial class StructureField
{
    public string? Name { get; init; }

    public LocalizedText Description { get; init; }

    public NodeId DataType { get; init; }

    public int ValueRank { get; init; }

    public uint[]? ArrayDimensions { get; init; }

    public uint MaxStringLength { get; init; }

    public bool IsOptional { get; init; }
}
