using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(23498, 23507)]
public sealed partial class CurrencyUnitType
{
    public short NumericCode { get; init; }

    public sbyte Exponent { get; init; }

    public string? AlphabeticCode { get; init; }

    public LocalizedText Currency { get; init; }
}
