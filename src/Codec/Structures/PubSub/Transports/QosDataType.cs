namespace Gateway.Codec.Structures;

[Structure(23603, 23855)]
public partial class QosDataType;
