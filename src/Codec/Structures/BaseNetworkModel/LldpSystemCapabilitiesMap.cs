namespace Gateway.Codec.Structures;

[Flags]
public enum LldpSystemCapabilitiesMap : uint
{
    None = 0,
    Other = 1,
    Repeater = 2,
    Bridge = 4,
    WlanAccessPoint = 8,
    Router = 0x10,
    Telephone = 0x20,
    DocsisCableDevice = 0x40,
    StationOnly = 0x80,
    CvlanComponent = 0x100,
    SvlanComponent = 0x200,
    TwoPortMacRelay = 0x400,
}
