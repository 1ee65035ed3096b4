namespace Gateway.Codec.Structures;

[Structure(15629, 15706)]
public partial class DataSetReaderMessageDataType;
