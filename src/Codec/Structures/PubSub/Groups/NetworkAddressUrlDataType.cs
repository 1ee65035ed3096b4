namespace Gateway.Codec.Structures;

[Structure(15510, 21152)]
public sealed partial class NetworkAddressUrlDataType : NetworkAddressDataType
{
    public string? Url { get; init; }
}
