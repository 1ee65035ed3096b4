namespace Gateway.Codec.Structures;

[Structure(18954, 19080)]
public sealed partial class LldpManagementAddressType
{
    public uint AddressSubtype { get; init; }

    public string? Address { get; init; }

    public ManAddrIfSubtype IfSubtype { get; init; }

    public uint IfId { get; init; }
}
