namespace Gateway.Codec.Structures;

[Structure(18812, 18821)]
public sealed partial class ThreeDOrientation : Orientation
{
    public double A { get; init; }

    public double B { get; init; }

    public double C { get; init; }
}
