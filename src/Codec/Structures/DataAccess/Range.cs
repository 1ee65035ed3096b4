namespace Gateway.Codec.Structures;

[Structure(884, 886)]
public sealed partial class Range
{
    public double Low { get; init; }

    public double High { get; init; }
}
