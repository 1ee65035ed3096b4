using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(32421, 32422)]
public sealed partial class BitFieldDefinition
{
    public string? Name { get; init; }

    public LocalizedText Description { get; init; }

    public bool Reserved { get; init; }

    public uint StartingBitPosition { get; init; }

    public uint EndingBitPosition { get; init; }
}
