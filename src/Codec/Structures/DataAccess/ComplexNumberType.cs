namespace Gateway.Codec.Structures;

[Structure(12171, 12181)]
public sealed partial class ComplexNumberType
{
    public float Real { get; init; }

    public float Imaginary { get; init; }
}
