namespace Gateway.Codec.Structures;

[Structure(32435, 32561)]
public sealed partial class LinearConversionDataType
{
    public float InitialAddend { get; init; }

    public float Multiplicand { get; init; }

    public float Divisor { get; init; }

    public float FinalAddend { get; init; }
}
