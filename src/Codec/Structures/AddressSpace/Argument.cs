using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(296, 298)]
public sealed partial class Argument
{
    public string? Name { get; init; }

    public NodeId DataType { get; init; }

    public int ValueRank { get; init; }

    public uint[]? ArrayDimensions { get; init; }

    public LocalizedText Description { get; init; }
}
