using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(17467, 17468)]
public partial class DatagramConnectionTransportDataType : ConnectionTransportDataType
{
    [AllowSubtypes(typeof(NetworkAddressDataType))]
    public ExtensionObject DiscoveryAddress { get; init; }
}
