using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(23614, 23866)]
public sealed partial class DatagramDataSetReaderTransportDataType : DataSetReaderTransportDataType
{
    public ExtensionObject Address { get; init; }

    public string? QosCategory { get; init; }

    public ExtensionObject[]? DatagramQos { get; init; }

    public string? Topic { get; init; }
}
