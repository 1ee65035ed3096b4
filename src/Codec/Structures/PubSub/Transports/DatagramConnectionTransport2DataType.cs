using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(23612, 23864)]
public sealed partial class DatagramConnectionTransport2DataType : DatagramConnectionTransportDataType
{
    public uint DiscoveryAnnounceRate { get; init; }

    public uint DiscoveryMaxMessageSize { get; init; }

    public string? QosCategory { get; init; }

    [AllowSubtypes(typeof(QosDataType))]
    public ExtensionObject[]? DatagramQos { get; init; }
}
