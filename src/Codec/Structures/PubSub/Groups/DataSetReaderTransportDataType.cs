namespace Gateway.Codec.Structures;

[Structure(15628, 15705)]
public partial class DataSetReaderTransportDataType;
