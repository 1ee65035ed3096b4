namespace Gateway.Codec.Structures;

[Structure(32438, 32562)]
public sealed partial class QuantityDimension
{
    public sbyte MassExponent { get; init; }

    public sbyte LengthExponent { get; init; }

    public sbyte TimeExponent { get; init; }

    public sbyte ElectricCurrentExponent { get; init; }

    public sbyte AmountOfSubstanceExponent { get; init; }

    public sbyte LuminousIntensityExponent { get; init; }

    public sbyte AbsoluteTemperatureExponent { get; init; }

    public sbyte DimensionlessExponent { get; init; }
}
