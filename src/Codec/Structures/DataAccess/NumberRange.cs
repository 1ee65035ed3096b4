using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(23903, 24250)]
public sealed partial class NumberRange
{
    public Variant Low { get; init; }

    public Variant High { get; init; }
}
