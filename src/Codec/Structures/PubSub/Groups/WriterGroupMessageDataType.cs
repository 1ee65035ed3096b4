namespace Gateway.Codec.Structures;

[Structure(15616, 15693)]
public partial class WriterGroupMessageDataType;
