namespace Gateway.Codec.Structures;

[Structure(18807, 18816)]
public partial class Vector;
