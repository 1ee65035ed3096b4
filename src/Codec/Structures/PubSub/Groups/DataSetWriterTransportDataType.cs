namespace Gateway.Codec.Structures;

[Structure(15598, 15683)]
public partial class DataSetWriterTransportDataType;
