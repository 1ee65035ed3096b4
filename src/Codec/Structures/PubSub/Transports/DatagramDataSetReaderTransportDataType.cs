using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(23614, 23866)]
public sealed partial class DatagramDataSetReaderTransportDataType : DataSetReaderTransportDataType
{
    [AllowSubtypes(typeof(NetworkAddressDataType))]
    public ExtensionObject Address { get; init; }

    public string? QosCategory { get; init; }

    [AllowSubtypes(typeof(ReceiveQosDataType))]
    public ExtensionObject[]? DatagramQos { get; init; }

    public string? Topic { get; init; }
}
