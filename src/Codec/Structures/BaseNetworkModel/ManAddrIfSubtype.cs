namespace Gateway.Codec.Structures;

public enum ManAddrIfSubtype
{
    None = 0,
    Unknown = 1,
    PortRef = 2,
    SystemPortNumber = 3,
}
