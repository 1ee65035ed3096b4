namespace Gateway.Codec.Structures;

[Structure(15611, 15691)]
public partial class WriterGroupTransportDataType;
