namespace Gateway.Transport.Certificates;

/// <summary>The faults of a certificate, as a set: no fault hides another (R12). Source: Part 4 §6.1.3.</summary>
[Flags]
public enum CertificateFault
{
    None = 0,

    /// <summary>There is none where the policy needs one.</summary>
    Missing = 1 << 0,

    /// <summary>The blob or one certificate in it is above the size limit.</summary>
    TooLarge = 1 << 1,

    /// <summary>Not a DER certificate, or bytes that belong to none.</summary>
    Malformed = 1 << 2,

    /// <summary>More certificates than a chain may have.</summary>
    ChainTooLong = 1 << 3,

    /// <summary>A key of a kind that the policy does not know.</summary>
    KeyAlgorithm = 1 << 4,

    /// <summary>A key shorter or longer than the policy allows.</summary>
    KeyLength = 1 << 5,

    /// <summary>Signed with a hash that is no longer safe, somewhere in the chain.</summary>
    WeakSignature = 1 << 6,

    /// <summary>A signature in the chain does not fit its issuer's key.</summary>
    SignatureInvalid = 1 << 7,

    /// <summary>An issuer is not known.</summary>
    ChainIncomplete = 1 << 8,

    /// <summary>Neither the certificate nor one of its issuers is trusted.</summary>
    Untrusted = 1 << 9,

    NotYetValid = 1 << 10,

    Expired = 1 << 11,

    IssuerTimeInvalid = 1 << 12,

    /// <summary>Key usage or extended key usage does not fit its use; the faults below are not in it.</summary>
    UsageNotAllowed = 1 << 13,

    /// <summary>An issuer that may not issue: no certificate authority, path too long, or an unknown critical rule.
    /// </summary>
    IssuerUsageNotAllowed = 1 << 14,

    /// <summary>The certificate does not name the ApplicationUri that the peer claims.</summary>
    UriMismatch = 1 << 15,

    Revoked = 1 << 16,

    IssuerRevoked = 1 << 17,

    /// <summary>No current revocation list of the certificate's issuer.</summary>
    RevocationUnknown = 1 << 18,

    IssuerRevocationUnknown = 1 << 19,

    /// <summary>A critical extension of the certificate that the gateway does not understand.</summary>
    CriticalExtension = 1 << 20,

    /// <summary>It has no KeyUsage extension at all.</summary>
    KeyUsageMissing = 1 << 21,

    /// <summary>It has a KeyUsage without dataEncipherment, which an application's RSA certificate needs.</summary>
    DataEnciphermentMissing = 1 << 22,

    /// <summary>The peer had another one until now, and no operator has accepted this one as that peer's.</summary>
    Changed = 1 << 23,
}
