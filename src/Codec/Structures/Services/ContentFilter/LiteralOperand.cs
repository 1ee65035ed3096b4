using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(595, 597)]
public sealed partial class LiteralOperand : FilterOperand
{
    public Variant Value { get; init; }
}
