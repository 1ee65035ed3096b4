namespace Gateway.Codec.Structures;

[Structure(15621, 15701)]
public sealed partial class ReaderGroupTransportDataType;
