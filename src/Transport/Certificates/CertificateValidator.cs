using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

/// <summary>
/// Judges certificates by the PKI folders. What a blob comes to is cached by the blob's SHA-256 and the version of the
/// trust list; time, policy and ApplicationUri are looked at in every call. Any thread.
/// Source: Part 4 §6.1.3.
/// </summary>
public sealed class CertificateValidator : ICertificateValidator
{
    private const int MinRsaKeyBits = 2048;
    private const int MaxRsaKeyBits = 4096;
    private const string ServerAuthOid = "1.3.6.1.5.5.7.3.1";
    private const string ClientAuthOid = "1.3.6.1.5.5.7.3.2";

    private readonly PkiStore _store;
    private readonly TrustFolders _folders;
    private readonly CertificateValidatorOptions _options;
    private readonly CertificateRefusalLog _log;
    private readonly AnalysisCache _accepted = new(capacity: 16_384);
    private readonly AnalysisCache _refused = new(capacity: 1_024);

    public CertificateValidator(PkiStore store, CertificateValidatorOptions options)
    {
        _store = store;
        _options = options;
        _folders = options.PeerRole == CertificatePeerRole.User ? store.Users : store.Applications;
        _log = new CertificateRefusalLog(store.LoggerFactory.CreateLogger<CertificateValidator>());
    }

    public CertificateVerdict Validate(
        ReadOnlyMemory<byte> certificateBlob, ICertificateKeyRule? policy, string? applicationUri)
    {
        var entry = Find(certificateBlob.Span);
        var fault = entry.Analysis.FaultAt(_store.TimeProvider.GetUtcNow());
        if (entry.Analysis.Leaf is { } leaf)
            fault |= KeyFault(entry.Analysis, leaf, policy) | UriFault(leaf, applicationUri);
        var allowed = fault & AllowedFaults(entry.Analysis);
        fault &= ~allowed;
        if (entry.TryGetVerdict(fault, applicationUri, out var verdict))
            return verdict;
        verdict = CertificateText.Verdict(entry.Analysis, fault, applicationUri, _options.PeerRole);
        entry.SetVerdict(verdict, applicationUri);
        if (fault != CertificateFault.None)
            Refuse(entry, verdict);
        else if (allowed != CertificateFault.None)
            _log.Suppressed(verdict, allowed);
        return verdict;
    }

    private AnalysisEntry Find(ReadOnlySpan<byte> blob)
    {
        var key = new BlobKey(blob);
        if (_accepted.TryGet(key, _folders.Current.Version, out var entry))
            return entry;
        var trustList = _folders.CurrentIfFoldersChanged();
        if (_refused.TryGet(key, trustList.Version, out entry))
            return entry;
        entry = new AnalysisEntry(Analyze(blob, trustList));
        // What only an operator's suppression accepts is as good as accepted: it is met as often.
        var isAccepted = (entry.Analysis.Fault & ~AllowedFaults(entry.Analysis)) == CertificateFault.None;
        (isAccepted ? _accepted : _refused).Set(key, entry);
        return entry;
    }

    private ChainAnalysis Analyze(ReadOnlySpan<byte> blob, TrustList trustList)
    {
        var fault = CertificateBlob.TryParse(blob, out var certificates);
        if (fault != CertificateFault.None)
            return new ChainAnalysis { Fault = fault, TrustListVersion = trustList.Version };
        var walk = new ChainWalk(certificates, trustList);
        return _options.PeerRole switch
        {
            CertificatePeerRole.User => walk.Run(X509KeyUsageFlags.DigitalSignature, null),
            CertificatePeerRole.Server => walk.Run(ApplicationUsage(certificates[0]), ServerAuthOid),
            _ => walk.Run(ApplicationUsage(certificates[0]), ClientAuthOid),
        };
    }

    /// <summary>An RSA key also unwraps what is sent to it. Source: Part 6 §6.2.2.</summary>
    private static X509KeyUsageFlags ApplicationUsage(CertificateFacts leaf) => leaf.IsRsa
        ? X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.DataEncipherment
        : X509KeyUsageFlags.DigitalSignature;

    private static CertificateFault KeyFault(ChainAnalysis analysis, CertificateFacts leaf, ICertificateKeyRule? policy)
    {
        var minimum = policy?.MinimumRsaKeyBits ?? MinRsaKeyBits;
        var maximum = policy?.MaximumRsaKeyBits ?? MaxRsaKeyBits;
        if (!leaf.IsRsa)
            return CertificateFault.KeyAlgorithm;
        var fits = leaf.KeyBits >= minimum && leaf.KeyBits <= maximum && analysis.IssuersKeyBits >= minimum;
        return fits ? CertificateFault.None : CertificateFault.KeyLength;
    }

    /// <summary>The first URI is the application's (Part 6 §6.2.2): a certificate with several speaks for that one.
    /// </summary>
    private static CertificateFault UriFault(CertificateFacts leaf, string? applicationUri) =>
        applicationUri is null || leaf.Names.Uris.FirstOrDefault() == applicationUri
            ? CertificateFault.None
            : CertificateFault.UriMismatch;

    private CertificateFault AllowedFaults(ChainAnalysis analysis)
    {
        var allowed = CertificateFault.None;
        if (_options.AutoTrust || IsPinned(analysis))
            allowed |= CertificateFault.Untrusted | CertificateFault.ChainIncomplete;
        if (_options.AcceptUnknownRevocation)
            allowed |= CertificateFault.RevocationUnknown | CertificateFault.IssuerRevocationUnknown;
        return allowed;
    }

    private bool IsPinned(ChainAnalysis analysis) => _options.PinnedThumbprints.Count > 0 &&
        analysis.Leaf is { } leaf && _options.PinnedThumbprints.Contains(leaf.Thumbprint);

    private void Refuse(AnalysisEntry entry, CertificateVerdict verdict)
    {
        _log.Refused(verdict);
        // A leaf whose signature is broken is nobody's certificate: nothing that an operator could trust.
        if (entry.Analysis.Leaf is { } leaf && (verdict.Fault & CertificateFault.SignatureInvalid) == 0 &&
            _options.PeerRole != CertificatePeerRole.User)
            _store.Rejected.Add(leaf);
    }
}
