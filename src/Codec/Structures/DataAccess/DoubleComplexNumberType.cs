namespace Gateway.Codec.Structures;

[Structure(12172, 12182)]
public sealed partial class DoubleComplexNumberType
{
    public double Real { get; init; }

    public double Imaginary { get; init; }
}
