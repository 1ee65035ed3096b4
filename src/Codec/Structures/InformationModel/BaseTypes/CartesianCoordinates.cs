namespace Gateway.Codec.Structures;

[Structure(18809, 18818)]
public partial class CartesianCoordinates;
