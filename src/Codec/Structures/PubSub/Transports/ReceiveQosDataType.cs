namespace Gateway.Codec.Structures;

[Structure(23608, 23860)]
public partial class ReceiveQosDataType : QosDataType;
