namespace Gateway.Codec.Structures;

[Structure(18955, 19081)]
public sealed partial class LldpTlvType
{
    public uint TlvType { get; init; }

    public byte[]? TlvInfo { get; init; }
}
