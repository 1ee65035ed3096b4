namespace Gateway.Codec.Structures;

[Structure(589, 591)]
public partial class FilterOperand;
