using System.Collections.Frozen;

namespace Gateway.Transport.Certificates;

/// <summary>All that the folders say at one time: an immutable snapshot, swapped whole.</summary>
internal sealed class TrustList
{
    public static readonly TrustList Empty = new(0, [], [], []);

    private readonly FrozenSet<string> _trusted;
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
        _bySubject = trusted.Concat(issuers)
            .DistinctBy(certificate => certificate.Fingerprint)
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

    public ReadOnlySpan<CertificateFacts> IssuersNamed(string subject) => _bySubject.GetValueOrDefault(subject) ?? [];

    public ReadOnlySpan<RevocationList> RevocationListsOf(string issuer) =>
        _revocationLists.GetValueOrDefault(issuer) ?? [];
}
