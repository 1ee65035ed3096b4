using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Security.Cryptography;

namespace Gateway.Transport.Certificates;

/// <summary>All that the folders say at one time: an immutable snapshot, swapped whole.</summary>
internal sealed class TrustList
{
    public static readonly TrustList Empty = new(0, [], [], []);

    private readonly FrozenSet<string> _trusted;
    private readonly FrozenDictionary<string, CertificateFacts> _byFingerprint;

    /// <summary>Which of the operator's own certificates and lists another of them has signed: at most one entry a pair
    /// of files.</summary>
    private readonly ConcurrentDictionary<(object Signed, CertificateFacts Issuer), bool> _signatures = new();
    private readonly FrozenDictionary<string, CertificateFacts[]> _bySubject;
    private readonly FrozenDictionary<string, RevocationList[]> _revocationLists;

    public TrustList(
        long version,
        IReadOnlyCollection<CertificateFacts> trusted,
        IReadOnlyCollection<CertificateFacts> issuers,
        IReadOnlyCollection<RevocationList> revocationLists)
    {
        Version = version;
        _trusted = trusted.Select(certificate => certificate.Fingerprint).ToFrozenSet();
        _byFingerprint = trusted.Concat(issuers)
            .DistinctBy(certificate => certificate.Fingerprint)
            .ToFrozenDictionary(certificate => certificate.Fingerprint);
        _bySubject = _byFingerprint.Values
            .GroupBy(certificate => certificate.Subject)
            .ToFrozenDictionary(group => group.Key, group => group.ToArray());
        _revocationLists = revocationLists
            .GroupBy(list => list.Issuer)
            .ToFrozenDictionary(group => group.Key, group => group.ToArray());
    }

    /// <summary>Grows with each change of the folders' content.</summary>
    public long Version { get; }

    public int TrustedCount => _trusted.Count;

    public bool IsTrusted(CertificateFacts certificate) => _trusted.Contains(certificate.Fingerprint);

    /// <summary>The certificates that the other does not have, issuers too.</summary>
    public IEnumerable<string> Except(TrustList other) => _byFingerprint
        .Where(mine => !other._byFingerprint.ContainsKey(mine.Key))
        .Select(mine => $"{mine.Value.SubjectText} {mine.Value.Thumbprint}");

    /// <summary>The operator's copy, parsed already; null where there is none.</summary>
    public CertificateFacts? Find(ReadOnlySpan<byte> der) =>
        _byFingerprint.GetValueOrDefault(Convert.ToHexString(SHA256.HashData(der)));

    /// <summary>This very object, not one that a peer sent.</summary>
    public bool Holds(CertificateFacts certificate) =>
        ReferenceEquals(_byFingerprint.GetValueOrDefault(certificate.Fingerprint), certificate);

    /// <param name="key">A certificate or revocation list of this trust list.</param>
    /// <param name="signed">Its signed bytes.</param>
    /// <param name="issuer">Of this trust list too.</param>
    public bool HasSigned(object key, SignedObject signed, CertificateFacts issuer) => _signatures.GetOrAdd(
        (key, issuer), static (pair, signed) => SignatureCheck.Verify(signed, pair.Issuer.Certificate), signed);

    public ReadOnlySpan<CertificateFacts> IssuersNamed(string subject) => _bySubject.GetValueOrDefault(subject) ?? [];

    public ReadOnlySpan<RevocationList> RevocationListsOf(string issuer) =>
        _revocationLists.GetValueOrDefault(issuer) ?? [];
}
