namespace Gateway.Codec.Structures;

[Structure(18953, 19079)]
public sealed partial class LldpManagementAddressTxPortType
{
    public uint AddressSubtype { get; init; }

    public string? ManAddress { get; init; }

    public bool TxEnable { get; init; }

    public uint AddrLen { get; init; }

    public ManAddrIfSubtype IfSubtype { get; init; }

    public uint IfId { get; init; }
}
