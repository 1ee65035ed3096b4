using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(364, 366)]
public sealed partial class VariableTypeAttributes : NodeAttributes
{
    public Variant Value { get; init; }

    public NodeId DataType { get; init; }

    public int ValueRank { get; init; }

    public uint[]? ArrayDimensions { get; init; }

    public bool IsAbstract { get; init; }
}
