namespace Gateway.Codec.Structures;

[Structure(18808, 18817)]
public sealed partial class ThreeDVector : Vector
{
    public double X { get; init; }

    public double Y { get; init; }

    public double Z { get; init; }
}
