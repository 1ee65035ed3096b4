namespace Gateway.Codec.Structures;

public enum ChassisIdSubtype
{
    ChassisComponent = 1,
    InterfaceAlias = 2,
    PortComponent = 3,
    MacAddress = 4,
    NetworkAddress = 5,
    InterfaceName = 6,
    Local = 7,
}
