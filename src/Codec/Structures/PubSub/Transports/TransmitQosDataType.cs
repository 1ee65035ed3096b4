namespace Gateway.Codec.Structures;

[Structure(23604, 23856)]
public partial class TransmitQosDataType : QosDataType;
