namespace Gateway.Codec.Structures;

[Structure(17548, 17549)]
public sealed partial class EphemeralKeyType
{
    public byte[]? PublicKey { get; init; }

    public byte[]? Signature { get; init; }
}
