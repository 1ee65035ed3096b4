namespace Gateway.Codec.Structures;

[Flags]
public enum TrustListValidationOptions : uint
{
    None = 0,
    SuppressCertificateExpired = 1,
    SuppressHostNameInvalid = 2,
    SuppressRevocationStatusUnknown = 4,
    SuppressIssuerCertificateExpired = 8,
    SuppressIssuerRevocationStatusUnknown = 0x10,
    CheckRevocationStatusOnline = 0x20,
    CheckRevocationStatusOffline = 0x40,
}
