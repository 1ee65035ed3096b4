using System.Security.Cryptography.X509Certificates;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Certificates;

/// <summary>Walks from a leaf to its root through the trust list and what the peer sent along, and notes every fault on
/// the way. Uses no network and no store but the given one. An unproven peer can cause only a bounded cost: the
/// certificates that it chose are at most <see cref="TransportLimits.MaxIssuerKeyBits"/> long, and all checks together
/// at most <see cref="TransportLimits.MaxChainSignatureChecks"/>. One use, one thread. Source: Part 4 §6.1.3, RFC 5280
/// §6.1.</summary>
internal sealed class ChainWalk(CertificateFacts leaf, BlobIssuers sent, TrustList trustList, TransportLimits limits)
{
    private const int MinIssuerKeyBits = 1024;

    /// <summary>Of the certificates in the operator's folders.</summary>
    private const int MaxOwnIssuerKeyBits = 8192;

    private readonly List<CertificateFacts> _chain = [];
    private CertificateFault _fault;

    /// <summary>Done so far.</summary>
    public int SignatureChecks { get; private set; }

    /// <param name="requiredUsage">Of the leaf.</param>
    /// <param name="requiredExtendedUsage">Null when any will do.</param>
    public ChainAnalysis Run(X509KeyUsageFlags requiredUsage, string? requiredExtendedUsage)
    {
        Walk();
        CheckUsage(requiredUsage, requiredExtendedUsage);
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
        return Result(leafUntil, issuersUntil);
    }

    private ChainAnalysis Result(DateTimeOffset leafUntil, DateTimeOffset issuersUntil)
    {
        var issuers = _chain.Skip(1).ToArray();
        var facts = LeafFacts.Of(leaf);
        var chain = new List<byte>(facts.Der);
        var ranges = new List<Range>();
        foreach (var issuer in issuers.Where(one => !trustList.Holds(one)))
        {
            ranges.Add(chain.Count..(chain.Count + issuer.Der.Length));
            chain.AddRange(issuer.Der);
        }
        return new ChainAnalysis
        {
            Key = new BlobKey(facts.Der),
            Leaf = facts,
            Chain = ranges.Count == 0 ? facts.Der : [.. chain],
            Issuers = [.. ranges],
            Fault = _fault,
            TrustListVersion = trustList.Version,
            SignatureChecks = SignatureChecks,
            IssuersNotBefore = issuers.Select(one => one.NotBefore).DefaultIfEmpty(DateTimeOffset.MinValue).Max(),
            IssuersNotAfter = issuers.Select(one => one.NotAfter).DefaultIfEmpty(DateTimeOffset.MaxValue).Min(),
            IssuersKeyBits = issuers.Where(one => one.IsRsa).Select(one => one.KeyBits)
                .DefaultIfEmpty(int.MaxValue).Min(),
            RevocationCurrentUntil = leafUntil,
            IssuerRevocationCurrentUntil = issuersUntil,
        };
    }

    /// <summary>Ends at a self-signed certificate, at an unknown issuer, at a cycle, at the tenth certificate, or when
    /// the checks are used up.</summary>
    private void Walk()
    {
        var current = leaf;
        while (true)
        {
            _chain.Add(current);
            if (!HasSaneKey(current))
            {
                NoteLongKey(current);
                _fault |= CertificateFault.KeyLength;
                return;
            }
            if (current.IsSelfIssued && HasSigned(current, current))
                return;
            var issuer = FindIssuer(current, out var why);
            if (issuer is null)
            {
                _fault |= why;
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

    /// <param name="certificate">The certificate whose issuer is wanted.</param>
    /// <param name="why">Why there is none: no certificate has the name, or those with the name have not signed, or
    /// must not be asked.</param>
    private CertificateFacts? FindIssuer(CertificateFacts certificate, out CertificateFault why)
    {
        // A self-issued certificate names its issuer by itself: that its own key has not signed it is a bad signature.
        why = certificate.IsSelfIssued ? CertificateFault.SignatureInvalid : CertificateFault.ChainIncomplete;
        foreach (var candidate in trustList.IssuersNamed(certificate.Issuer))
        {
            why = CertificateFault.SignatureInvalid;
            if (candidate.Fingerprint != certificate.Fingerprint && HasSigned(certificate, candidate))
                return candidate;
        }
        for (var i = 0; i < sent.Count; i++)
        {
            if (sent.SubjectOf(i) != certificate.Issuer)
                continue;
            if (IsExhausted)
            {
                NoteExhausted();
                return null;
            }
            var candidate = sent.Parse(i);
            if (candidate is null || !HasSaneKey(candidate))
            {
                // It was parsed, which costs as much as a check.
                SignatureChecks++;
                NoteLongKey(candidate);
                why = candidate is null ? CertificateFault.SignatureInvalid : CertificateFault.KeyLength;
                continue;
            }
            why = CertificateFault.SignatureInvalid;
            if (candidate.Fingerprint != certificate.Fingerprint && HasSigned(certificate, candidate))
                return candidate;
        }
        return null;
    }

    private bool IsExhausted => SignatureChecks >= limits.MaxChainSignatureChecks;

    private bool HasSigned(CertificateFacts certificate, CertificateFacts issuer)
    {
        if (!HasSaneKey(issuer) || !TryTakeCheck())
            return false;
        return trustList.Holds(certificate) && trustList.Holds(issuer)
            ? trustList.HasSigned(certificate, certificate.Signed, issuer)
            : SignatureCheck.Verify(certificate.Signed, issuer.Certificate);
    }

    private bool TryTakeCheck()
    {
        if (!IsExhausted)
        {
            SignatureChecks++;
            return true;
        }
        NoteExhausted();
        return false;
    }

    private void NoteExhausted()
    {
        if ((_fault & CertificateFault.ChainTooLong) == 0)
            CertificateCounters.ChainCut();
        _fault |= CertificateFault.ChainTooLong;
    }

    private void NoteLongKey(CertificateFacts? certificate)
    {
        if (certificate?.KeyBits > limits.MaxIssuerKeyBits)
            CertificateCounters.LongKey();
    }

    /// <summary>Fit for a check whose cost is known: RSA of a bounded length, or a curve that the standard names.
    /// </summary>
    private bool HasSaneKey(CertificateFacts certificate)
    {
        if (!certificate.IsRsa)
            return certificate.IsEllipticCurve;
        var maximum = trustList.Holds(certificate) ? MaxOwnIssuerKeyBits : limits.MaxIssuerKeyBits;
        return certificate.KeyBits >= MinIssuerKeyBits && certificate.KeyBits <= maximum;
    }

    private void CheckUsage(X509KeyUsageFlags required, string? requiredExtended)
    {
        const string anyUsage = "2.5.29.37.0";
        var missing = required & ~(leaf.KeyUsage ?? required);
        if (leaf.KeyUsage is null)
            _fault |= CertificateFault.KeyUsageMissing;
        if ((missing & X509KeyUsageFlags.DataEncipherment) != 0)
            _fault |= CertificateFault.DataEnciphermentMissing;
        if ((missing & ~X509KeyUsageFlags.DataEncipherment) != 0)
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

    /// <summary>A list that names the certificate counts even when it is old; one that does not name it counts only
    /// while it is current. The result says which.</summary>
    private DateTimeOffset CheckRevocation(CertificateFacts certificate, CertificateFacts issuer, bool isLeaf)
    {
        var until = DateTimeOffset.MinValue;
        var maySign = (issuer.KeyUsage ?? X509KeyUsageFlags.CrlSign) & X509KeyUsageFlags.CrlSign;
        foreach (var list in trustList.RevocationListsOf(issuer.Subject))
        {
            if (maySign == 0 || list.HasUnknownCriticalExtension || SignatureCheck.IsWeak(list.Signed) ||
                !HasSigned(list, issuer))
                continue;
            if (list.Names(certificate))
                _fault |= isLeaf ? CertificateFault.Revoked : CertificateFault.IssuerRevoked;
            if (list.NextUpdate > until)
                until = list.NextUpdate;
        }
        return until;
    }

    /// <summary>The signatures among the operator's own files are checked once; they do not count as this peer's work.
    /// </summary>
    private bool HasSigned(RevocationList list, CertificateFacts issuer) => trustList.Holds(issuer)
        ? trustList.HasSigned(list, list.Signed, issuer)
        : TryTakeCheck() && SignatureCheck.Verify(list.Signed, issuer.Certificate);
}
