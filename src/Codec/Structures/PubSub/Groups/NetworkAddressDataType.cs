namespace Gateway.Codec.Structures;

[Structure(15502, 21151)]
public partial class NetworkAddressDataType
{
    public string? NetworkInterface { get; init; }
}
