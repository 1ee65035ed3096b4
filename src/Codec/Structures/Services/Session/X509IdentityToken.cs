namespace Gateway.Codec.Structures;

[Structure(325, 327)]
public sealed partial class X509IdentityToken : UserIdentityToken
{
    public byte[]? CertificateData { get; init; }
}
