using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(355, 357)]
public sealed partial class VariableAttributes : NodeAttributes
{
    public Variant Value { get; init; }

    public NodeId DataType { get; init; }

    public int ValueRank { get; init; }

    public uint[]? ArrayDimensions { get; init; }

    public byte AccessLevel { get; init; }

    public byte UserAccessLevel { get; init; }

    public double MinimumSamplingInterval { get; init; }

    public bool Historizing { get; init; }
}
