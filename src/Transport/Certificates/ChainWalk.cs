using System.Security.Cryptography.X509Certificates;

namespace Gateway.Transport.Certificates;

/// <summary>Walks from a leaf to its root through the trust list and what the peer sent along, and notes every fault
/// on the way. Uses no network and no store but the given one. One use, one thread. Source: Part 4 §6.1.3,
/// RFC 5280 §6.1.</summary>
internal sealed class ChainWalk(List<CertificateFacts> blob, TrustList trustList)
{
    /// <summary>Issuers of one name are tried in turn; a peer that sends many of them gets no more than this.</summary>
    private const int MaxSignatureChecks = 24;
    private const int MinIssuerKeyBits = 1024;
    private const int MaxIssuerKeyBits = 8192;

    private readonly List<CertificateFacts> _chain = [];
    private CertificateFault _fault;
    private int _signatureChecks;

    /// <param name="requiredExtendedUsage">Null when any will do.</param>
    public ChainAnalysis Run(X509KeyUsageFlags requiredUsage, string? requiredExtendedUsage)
    {
        var leaf = blob[0];
        Walk(leaf);
        CheckUsage(leaf, requiredUsage, requiredExtendedUsage);
        for (var depth = 1; depth < _chain.Count; depth++)
            CheckIssuer(_chain[depth], depth - 1);
        foreach (var certificate in _chain)
        {
            if (SignatureCheck.IsWeak(certificate.Signed))
                _fault |= CertificateFault.WeakSignature;
        }
        if (!_chain.Exists(trustList.IsTrusted))
            _fault |= CertificateFault.Untrusted;
        var leafUntil = DateTimeOffset.MaxValue;
        var issuersUntil = DateTimeOffset.MaxValue;
        for (var depth = 0; depth + 1 < _chain.Count; depth++)
        {
            var until = CheckRevocation(_chain[depth], _chain[depth + 1], isLeaf: depth == 0);
            if (depth == 0)
                leafUntil = until;
            else if (until < issuersUntil)
                issuersUntil = until;
        }
        var issuers = _chain.Skip(1).ToArray();
        return new ChainAnalysis
        {
            Leaf = leaf,
            Fault = _fault,
            TrustListVersion = trustList.Version,
            IssuersNotBefore = issuers.Select(one => one.NotBefore).DefaultIfEmpty(DateTimeOffset.MinValue).Max(),
            IssuersNotAfter = issuers.Select(one => one.NotAfter).DefaultIfEmpty(DateTimeOffset.MaxValue).Min(),
            IssuersKeyBits = issuers.Where(one => one.IsRsa).Select(one => one.KeyBits)
                .DefaultIfEmpty(int.MaxValue).Min(),
            RevocationCurrentUntil = leafUntil,
            IssuerRevocationCurrentUntil = issuersUntil,
        };
    }

    /// <summary>Ends at a self-signed certificate, at an unknown issuer, at a cycle, or at the tenth certificate.
    /// </summary>
    private void Walk(CertificateFacts leaf)
    {
        var current = leaf;
        while (true)
        {
            _chain.Add(current);
            if (!HasSaneKey(current))
            {
                _fault |= CertificateFault.KeyLength;
                return;
            }
            if (current.IsSelfIssued && HasSigned(current, current))
                return;
            var issuer = FindIssuer(current, out var named);
            if (issuer is null)
            {
                _fault |= named ? CertificateFault.SignatureInvalid : CertificateFault.ChainIncomplete;
                return;
            }
            if (_chain.Contains(issuer))
            {
                _fault |= CertificateFault.ChainIncomplete;
                return;
            }
            if (_chain.Count == CertificateBlob.MaxCertificates)
            {
                _fault |= CertificateFault.ChainTooLong;
                return;
            }
            current = issuer;
        }
    }

    /// <param name="named">Somebody bears the issuer's name, whether or not it signed.</param>
    private CertificateFacts? FindIssuer(CertificateFacts certificate, out bool named)
    {
        // A self-issued certificate names its issuer by itself: that its own key has not signed it is a bad signature.
        named = certificate.IsSelfIssued;
        foreach (var candidate in trustList.IssuersNamed(certificate.Issuer))
        {
            named = true;
            if (candidate.Fingerprint != certificate.Fingerprint && HasSigned(certificate, candidate))
                return candidate;
        }
        foreach (var candidate in blob)
        {
            if (candidate.Subject != certificate.Issuer || candidate.Fingerprint == certificate.Fingerprint)
                continue;
            named = true;
            if (HasSigned(certificate, candidate))
                return candidate;
        }
        return null;
    }

    private bool HasSigned(CertificateFacts certificate, CertificateFacts issuer) =>
        HasSaneKey(issuer) && _signatureChecks++ < MaxSignatureChecks &&
        SignatureCheck.Verify(certificate.Signed, issuer.Certificate);

    private static bool HasSaneKey(CertificateFacts certificate) =>
        !certificate.IsRsa || certificate.KeyBits is >= MinIssuerKeyBits and <= MaxIssuerKeyBits;

    private void CheckUsage(CertificateFacts leaf, X509KeyUsageFlags required, string? requiredExtended)
    {
        const string anyUsage = "2.5.29.37.0";
        if (((leaf.KeyUsage ?? X509KeyUsageFlags.None) & required) != required)
            _fault |= CertificateFault.UsageNotAllowed;
        if (requiredExtended is not null && leaf.ExtendedKeyUsage is { } extended &&
            !extended.Contains(requiredExtended) && !extended.Contains(anyUsage))
            _fault |= CertificateFault.UsageNotAllowed;
        if (leaf.HasUnknownCriticalExtension)
            _fault |= CertificateFault.CriticalExtension;
    }

    /// <param name="issuersBelow">How many issuers lie between this one and the leaf.</param>
    private void CheckIssuer(CertificateFacts issuer, int issuersBelow)
    {
        var maySign = (issuer.KeyUsage ?? X509KeyUsageFlags.KeyCertSign) & X509KeyUsageFlags.KeyCertSign;
        if (!issuer.IsAuthority || maySign == 0 || issuersBelow > issuer.PathLength ||
            issuer.HasUnknownCriticalExtension)
            _fault |= CertificateFault.IssuerUsageNotAllowed;
        if (!issuer.IsRsa && !issuer.IsEllipticCurve)
            _fault |= CertificateFault.KeyAlgorithm;
    }

    /// <summary>A list that names the certificate is believed also when it is old; one that does not name it only while
    /// it is current, which is what the result says.</summary>
    private DateTimeOffset CheckRevocation(CertificateFacts certificate, CertificateFacts issuer, bool isLeaf)
    {
        var until = DateTimeOffset.MinValue;
        var maySign = (issuer.KeyUsage ?? X509KeyUsageFlags.CrlSign) & X509KeyUsageFlags.CrlSign;
        foreach (var list in trustList.RevocationListsOf(issuer.Subject))
        {
            if (maySign == 0 || list.HasUnknownCriticalExtension || SignatureCheck.IsWeak(list.Signed) ||
                !SignatureCheck.Verify(list.Signed, issuer.Certificate))
                continue;
            if (list.Names(certificate))
                _fault |= isLeaf ? CertificateFault.Revoked : CertificateFault.IssuerRevoked;
            if (list.NextUpdate > until)
                until = list.NextUpdate;
        }
        return until;
    }
}
