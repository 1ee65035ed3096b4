namespace Gateway.Codec.Structures;

[Structure(18811, 18820)]
public partial class Orientation;
