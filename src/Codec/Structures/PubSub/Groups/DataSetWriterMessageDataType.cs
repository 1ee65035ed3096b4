namespace Gateway.Codec.Structures;

[Structure(15605, 15688)]
public partial class DataSetWriterMessageDataType;
