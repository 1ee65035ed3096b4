namespace Gateway.Codec.Structures;

[Structure(322, 324)]
public sealed partial class UserNameIdentityToken : UserIdentityToken
{
    public string? UserName { get; init; }

    public byte[]? Password { get; init; }

    public string? EncryptionAlgorithm { get; init; }
}
