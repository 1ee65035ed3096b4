namespace Gateway.Codec.Structures;

[Structure(97, 121)]
public partial class DataTypeDefinition;
