namespace Gateway.Codec.Structures;

[Flags]
public enum TrustListMasks
{
    None = 0,
    TrustedCertificates = 1,
    TrustedCrls = 2,
    IssuerCertificates = 4,
    IssuerCrls = 8,
    All = 0xF,
}
