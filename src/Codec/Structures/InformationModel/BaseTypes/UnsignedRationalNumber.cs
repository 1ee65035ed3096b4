namespace Gateway.Codec.Structures;

[Structure(24107, 24110)]
public sealed partial class UnsignedRationalNumber
{
    public uint Numerator { get; init; }

    public uint Denominator { get; init; }
}
