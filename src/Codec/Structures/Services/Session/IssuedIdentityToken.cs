namespace Gateway.Codec.Structures;

[Structure(938, 940)]
public sealed partial class IssuedIdentityToken : UserIdentityToken
{
    public byte[]? TokenData { get; init; }

    public string? EncryptionAlgorithm { get; init; }
}
