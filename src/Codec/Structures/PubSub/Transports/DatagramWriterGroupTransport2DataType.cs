using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(23613, 23865)]
public sealed partial class DatagramWriterGroupTransport2DataType : DatagramWriterGroupTransportDataType
{
    public ExtensionObject Address { get; init; }

    public string? QosCategory { get; init; }

    public ExtensionObject[]? DatagramQos { get; init; }

    public uint DiscoveryAnnounceRate { get; init; }

    public string? Topic { get; init; }
}
