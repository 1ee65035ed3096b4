namespace Gateway.Codec.Structures;

[Structure(344, 346)]
public sealed partial class SignedSoftwareCertificate
{
    public byte[]? CertificateData { get; init; }

    public byte[]? Signature { get; init; }
}
