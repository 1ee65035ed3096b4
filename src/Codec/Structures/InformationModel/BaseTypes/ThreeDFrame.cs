namespace Gateway.Codec.Structures;

[Structure(18814, 18823)]
public sealed partial class ThreeDFrame : Frame
{
    public ThreeDCartesianCoordinates CartesianCoordinates { get; init; } = new();

    public ThreeDOrientation Orientation { get; init; } = new();
}
