namespace Gateway.Codec.Structures;

[Structure(18810, 18819)]
public sealed partial class ThreeDCartesianCoordinates : CartesianCoordinates
{
    public double X { get; init; }

    public double Y { get; init; }

    public double Z { get; init; }
}
