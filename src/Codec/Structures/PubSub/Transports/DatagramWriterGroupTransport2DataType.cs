using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(23613, 23865)]
public sealed partial class DatagramWriterGroupTransport2DataType : DatagramWriterGroupTransportDataType
{
    [AllowSubtypes(typeof(NetworkAddressDataType))]
    public ExtensionObject Address { get; init; }

    public string? QosCategory { get; init; }

    [AllowSubtypes(typeof(TransmitQosDataType))]
    public ExtensionObject[]? DatagramQos { get; init; }

    public uint DiscoveryAnnounceRate { get; init; }

    public string? Topic { get; init; }
}
