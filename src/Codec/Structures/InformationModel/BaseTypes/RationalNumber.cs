namespace Gateway.Codec.Structures;

[Structure(18806, 18815)]
public sealed partial class RationalNumber
{
    public int Numerator { get; init; }

    public uint Denominator { get; init; }
}
