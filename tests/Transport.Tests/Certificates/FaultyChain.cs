using System.Security.Cryptography.X509Certificates;
using Gateway.Transport.Certificates;

namespace Gateway.Transport.Tests.Certificates;

/// <summary>A leaf under one authority that has exactly the wanted faults, with the PKI folders to match.</summary>
internal static class FaultyChain
{
    public static readonly CertificateFault[] Kinds =
    [
        CertificateFault.Untrusted, CertificateFault.Expired, CertificateFault.UriMismatch,
        CertificateFault.UsageNotAllowed, CertificateFault.WeakSignature, CertificateFault.KeyLength,
        CertificateFault.SignatureInvalid, CertificateFault.CriticalExtension, CertificateFault.Revoked,
        CertificateFault.RevocationUnknown, CertificateFault.IssuerTimeInvalid, CertificateFault.IssuerUsageNotAllowed,
        CertificateFault.ChainIncomplete, CertificateFault.NotYetValid, CertificateFault.KeyUsageMissing,
        CertificateFault.DataEnciphermentMissing,
    ];

    public static byte[] Arrange(TestPki pki, CertificateFault faults)
    {
        bool Has(CertificateFault fault) => (faults & fault) != 0;
        var authority = TestRecipe.Authority("authority");
        if (Has(CertificateFault.IssuerTimeInvalid))
            authority = authority with { NotAfter = new(2025, 12, 1, 0, 0, 0, TimeSpan.Zero) };
        if (Has(CertificateFault.IssuerUsageNotAllowed))
            authority = authority with { IsAuthority = false };
        var leaf = TestCertificates.Signed(
            new TestRecipe
            {
                Uri = Has(CertificateFault.UriMismatch) ? "urn:test:other" : TestRecipe.ApplicationUri,
                Hash = Has(CertificateFault.WeakSignature) ? "SHA1" : "SHA256",
                KeyBits = Has(CertificateFault.KeyLength) ? 1024 : 2048,
                KeyUsage = Has(CertificateFault.KeyUsageMissing)
                    ? null
                    : new TestRecipe().KeyUsage &
                        ~(Has(CertificateFault.UsageNotAllowed) ? X509KeyUsageFlags.DigitalSignature : 0) &
                        ~(Has(CertificateFault.DataEnciphermentMissing) ? X509KeyUsageFlags.DataEncipherment : 0),
                NotBefore = new(Has(CertificateFault.NotYetValid) ? 2027 : 2025, 1, 1, 0, 0, 0, TimeSpan.Zero),
                NotAfter = new(Has(CertificateFault.Expired) ? 2025 : 2030, 11, 1, 0, 0, 0, TimeSpan.Zero),
                HasCriticalExtension = Has(CertificateFault.CriticalExtension),
            },
            authority);
        var revoked = Has(CertificateFault.Revoked) ? leaf : null;
        if (!Has(CertificateFault.ChainIncomplete))
            pki.Put(Has(CertificateFault.Untrusted) ? "issuer/certs" : "trusted/certs",
                TestCertificates.SelfSigned(authority));
        if (!Has(CertificateFault.RevocationUnknown))
        {
            pki.Put("issuer/crl", TestCertificates.RevocationList(
                authority, new(2027, 1, 1, 0, 0, 0, TimeSpan.Zero), revoked is null ? [] : [revoked]), "list.crl");
        }
        if (Has(CertificateFault.SignatureInvalid))
            leaf[^1] ^= 1;
        if (Has(CertificateFault.ChainIncomplete) && !Has(CertificateFault.Untrusted))
            pki.Put("trusted/certs", leaf);
        return leaf;
    }

    /// <summary>One says the opposite of the other: no certificate has both.</summary>
    public static bool AreContradictory(CertificateFault pair) =>
        pair is (CertificateFault.Expired | CertificateFault.NotYetValid) or
            (CertificateFault.Revoked | CertificateFault.RevocationUnknown) or
            (CertificateFault.KeyUsageMissing | CertificateFault.UsageNotAllowed) or
            (CertificateFault.KeyUsageMissing | CertificateFault.DataEnciphermentMissing);

    /// <summary>What cannot be seen without a verified issuer: nobody known has signed the leaf.</summary>
    public static CertificateFault Visible(CertificateFault faults)
    {
        const CertificateFault needsIssuer = CertificateFault.Revoked | CertificateFault.RevocationUnknown |
            CertificateFault.IssuerTimeInvalid | CertificateFault.IssuerUsageNotAllowed;
        if ((faults & CertificateFault.ChainIncomplete) != 0)
            return faults & ~(needsIssuer | CertificateFault.SignatureInvalid);
        return (faults & CertificateFault.SignatureInvalid) != 0 ? faults & ~needsIssuer : faults;
    }
}
