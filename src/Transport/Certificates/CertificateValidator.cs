using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

/// <summary>
/// Judges certificates by the PKI folders. The result for a leaf and its chain is cached under the version of the trust
/// list once the peer has shown that it holds the key (<see cref="Proven"/>), and never before; a refusal is not cached
/// at all. Every call checks time, policy and ApplicationUri. Any thread. Source: Part 4 §6.1.3.
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
    private readonly RefusalMemory _told;

    public CertificateValidator(PkiStore store, CertificateValidatorOptions options)
    {
        _store = store;
        _options = options;
        _folders = options.PeerRole == CertificatePeerRole.User ? store.Users : store.Applications;
        _log = new CertificateRefusalLog(store.LoggerFactory.CreateLogger<CertificateValidator>());
        _told = new RefusalMemory(store.TimeProvider);
        Cache = new AnalysisCache(options.Limits.MaxCertificateCacheBytes);
    }

    /// <summary>Of certificates that were proven.</summary>
    internal AnalysisCache Cache { get; }

    public CertificateVerdict Validate(
        ReadOnlyMemory<byte> certificateBlob, ICertificateKeyRule? policy, string? applicationUri) =>
        Validate(certificateBlob, policy, applicationUri, "");

    public CertificateVerdict Validate(
        ReadOnlyMemory<byte> certificateBlob, ICertificateKeyRule? policy, string? applicationUri, string address)
    {
        var blob = certificateBlob.Span;
        Span<Range> parts = stackalloc Range[CertificateBlob.MaxCertificates];
        var fault = CertificateBlob.TryCut(blob, parts, out var count);
        if (fault != CertificateFault.None)
            return Refuse(new ChainAnalysis { Key = new BlobKey(blob), Fault = fault }, fault, applicationUri, address);
        parts = parts[..count];
        if (FindProven(blob, parts, policy, applicationUri) is { } known)
            return known.Accepted(_options.PeerRole);
        var analysis = Analyze(certificateBlob, parts);
        fault = FaultOf(analysis, policy, applicationUri, out _);
        return fault == CertificateFault.None
            ? analysis.Accepted(_options.PeerRole) with { SignatureChecks = analysis.SignatureChecks }
            : Refuse(analysis, fault, applicationUri, address);
    }

    public CertificateVerdict? FindProven(ReadOnlyMemory<byte> certificateBlob, ICertificateKeyRule? policy)
    {
        Span<Range> parts = stackalloc Range[CertificateBlob.MaxCertificates];
        return CertificateBlob.TryCut(certificateBlob.Span, parts, out var count) == CertificateFault.None
            ? FindProven(certificateBlob.Span, parts[..count], policy, null)?.Accepted(_options.PeerRole)
            : null;
    }

    private ChainAnalysis? FindProven(
        ReadOnlySpan<byte> blob, ReadOnlySpan<Range> parts, ICertificateKeyRule? policy, string? applicationUri) =>
        Cache.TryGet(new BlobKey(blob[parts[0]]), out var analysis) && analysis.IsPathIn(blob, parts) &&
        IsCurrent(analysis) && FaultOf(analysis, policy, applicationUri, out _) == CertificateFault.None
            ? analysis
            : null;

    public void Proven(CertificateVerdict verdict)
    {
        if (verdict.IsAccepted && _options.Peer is { } peer)
            peer.Proven(verdict.Thumbprint);
        if (verdict is not { IsAccepted: true, Analysis: { } analysis } ||
            (Cache.TryGet(analysis.Key, out var known) && ReferenceEquals(known, analysis)))
            return;
        Cache.Set(analysis);
        _store.OnAccepted(verdict, _options.PeerRole);
        FaultOf(analysis, null, null, out var allowed);
        if (allowed != CertificateFault.None)
            _log.Suppressed(verdict, allowed);
    }

    /// <summary>A list that came a moment ago counts at once for a certificate that is accepted for want of
    /// one.</summary>
    private bool IsCurrent(ChainAnalysis analysis)
    {
        const CertificateFault unknown = CertificateFault.RevocationUnknown | CertificateFault.IssuerRevocationUnknown;
        var isUnknown = (analysis.FaultAt(_store.TimeProvider.GetUtcNow()) & unknown) != 0;
        var trustList = isUnknown ? _folders.CurrentIfFoldersChanged() : _folders.Current;
        return analysis.TrustListVersion == trustList.Version;
    }

    private CertificateFault FaultOf(
        ChainAnalysis analysis, ICertificateKeyRule? policy, string? applicationUri, out CertificateFault allowed)
    {
        var fault = analysis.FaultAt(_store.TimeProvider.GetUtcNow());
        if (analysis.Leaf is { } leaf)
            fault |= KeyFault(analysis, leaf, policy) | UriFault(leaf, applicationUri) | PeerFault(leaf);
        allowed = fault & AllowedFaults(analysis);
        return fault & ~allowed;
    }

    private ChainAnalysis Analyze(ReadOnlyMemory<byte> blob, ReadOnlySpan<Range> parts)
    {
        var trustList = _folders.CurrentIfFoldersChanged();
        var der = blob[parts[0]];
        var own = trustList.Find(der.Span);
        var leaf = own ?? CertificateFacts.TryParse(der.Span);
        if (leaf is null)
            return new ChainAnalysis { Key = new BlobKey(der.Span), Fault = CertificateFault.Malformed };
        var behind = new ReadOnlyMemory<byte>[parts.Length - 1];
        for (var i = 0; i < behind.Length; i++)
            behind[i] = blob[parts[i + 1]];
        try
        {
            using var sent = new BlobIssuers(behind);
            var walk = new ChainWalk(leaf, sent, trustList, _options.Limits);
            return _options.PeerRole switch
            {
                CertificatePeerRole.User => walk.Run(X509KeyUsageFlags.DigitalSignature, null),
                CertificatePeerRole.Server => walk.Run(ApplicationUsage(leaf), ServerAuthOid),
                _ => walk.Run(ApplicationUsage(leaf), ClientAuthOid),
            };
        }
        finally
        {
            // The operator's copy stays.
            if (own is null)
                leaf.Certificate.Dispose();
        }
    }

    /// <summary>An RSA key also unwraps what is sent to it. Source: Part 6 §6.2.2.</summary>
    private static X509KeyUsageFlags ApplicationUsage(CertificateFacts leaf) => leaf.IsRsa
        ? X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.DataEncipherment
        : X509KeyUsageFlags.DigitalSignature;

    private static CertificateFault KeyFault(ChainAnalysis analysis, LeafFacts leaf, ICertificateKeyRule? policy)
    {
        var minimum = policy?.MinimumRsaKeyBits ?? MinRsaKeyBits;
        var maximum = policy?.MaximumRsaKeyBits ?? MaxRsaKeyBits;
        if (!leaf.IsRsa)
            return CertificateFault.KeyAlgorithm;
        var fits = leaf.KeyBits >= minimum && leaf.KeyBits <= maximum && analysis.IssuersKeyBits >= minimum;
        return fits ? CertificateFault.None : CertificateFault.KeyLength;
    }

    private CertificateFault PeerFault(LeafFacts leaf) =>
        _options.Peer?.IsChanged(leaf.Thumbprint, IsTrustedItself(leaf)) == true
            ? CertificateFault.Changed
            : CertificateFault.None;

    private bool IsTrustedItself(LeafFacts leaf)
    {
        var list = _folders.Current;
        return list.Find(leaf.Der) is { } known && list.IsTrusted(known);
    }

    /// <summary>The first URI is the application's (Part 6 §6.2.2): a certificate with several speaks for that one.
    /// </summary>
    private static CertificateFault UriFault(LeafFacts leaf, string? applicationUri) =>
        applicationUri is null || leaf.ApplicationUri == applicationUri
            ? CertificateFault.None
            : CertificateFault.UriMismatch;

    private CertificateFault AllowedFaults(ChainAnalysis analysis)
    {
        var allowed = CertificateFault.None;
        if (_options.AutoTrust || IsPinned(analysis))
            allowed |= CertificateFault.Untrusted | CertificateFault.ChainIncomplete;
        if (_options.AcceptUnknownRevocation)
            allowed |= CertificateFault.RevocationUnknown | CertificateFault.IssuerRevocationUnknown;
        if (_options.AcceptMissingKeyUsage)
            allowed |= CertificateFault.KeyUsageMissing;
        if (_options.AcceptMissingDataEncipherment)
            allowed |= CertificateFault.DataEnciphermentMissing;
        return allowed;
    }

    private bool IsPinned(ChainAnalysis analysis) => _options.PinnedThumbprints.Count > 0 &&
        analysis.Leaf is { } leaf && _options.PinnedThumbprints.Contains(leaf.Thumbprint);

    /// <summary>Kept for the operator; the log names the file. The caller writes the log line, with the peer's
    /// address.</summary>
    private CertificateVerdict Refuse(
        ChainAnalysis analysis, CertificateFault fault, string? applicationUri, string address)
    {
        var verdict = CertificateText.Verdict(analysis, fault, applicationUri, _options.PeerRole) with
        {
            SignatureChecks = analysis.SignatureChecks,
        };
        // A leaf with a broken signature belongs to no peer: an operator could not trust it.
        var kept = (fault & CertificateFault.SignatureInvalid) == 0 ? analysis.Leaf : null;
        if (kept is not null)
            verdict = verdict with { Detail = $"{verdict.Detail}. Its file: {_store.Rejected.PathOf(kept)}" };
        var reasons = CertificateText.Reasons(fault, _options.PeerRole);
        if (kept is not null && _options.Peer is { } peer && (fault & CertificateFault.Changed) != 0)
        {
            reasons += $". Until now: {peer.Before}";
            peer.Held(kept.Thumbprint, IsTrustedItself(kept));
        }

        var isNews = _told.IsNews(analysis.Key, fault, analysis.TrustListVersion);
        if (kept is not null)
            _store.Rejected.Note(kept, address, reasons, _options.PeerRole, isNews, _options.Peer?.Name ?? "");
        return verdict;
    }

    /// <summary>Why such a certificate would be refused now, in words; null: it would not. Keeps and counts nothing.
    /// </summary>
    public string? Explain(ReadOnlyMemory<byte> certificate)
    {
        Span<Range> parts = stackalloc Range[CertificateBlob.MaxCertificates];
        var fault = CertificateBlob.TryCut(certificate.Span, parts, out var count);
        if (fault == CertificateFault.None)
            fault = FaultOf(Analyze(certificate, parts[..count]), null, null, out _);
        return fault == CertificateFault.None ? null : CertificateText.Reasons(fault, _options.PeerRole);
    }
}
