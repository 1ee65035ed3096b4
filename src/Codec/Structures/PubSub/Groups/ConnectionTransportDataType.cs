namespace Gateway.Codec.Structures;

[Structure(15618, 15695)]
public partial class ConnectionTransportDataType;
