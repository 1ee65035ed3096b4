using System.Diagnostics.CodeAnalysis;

namespace Gateway.Transport.Certificates;

/// <summary>A cached analysis with the verdict last drawn from it.</summary>
internal sealed class AnalysisEntry(ChainAnalysis analysis)
{
    private LastVerdict? _last;

    public ChainAnalysis Analysis { get; } = analysis;

    public bool TryGetVerdict(
        CertificateFault fault, string? applicationUri, [NotNullWhen(true)] out CertificateVerdict? verdict)
    {
        var last = Volatile.Read(ref _last);
        // Only a mismatch names the ApplicationUri in its text.
        var isSame = last is not null && last.Verdict.Fault == fault &&
            ((fault & CertificateFault.UriMismatch) == 0 || last.ApplicationUri == applicationUri);
        verdict = isSame ? last!.Verdict : null;
        return isSame;
    }

    public void SetVerdict(CertificateVerdict verdict, string? applicationUri) =>
        Volatile.Write(ref _last, new LastVerdict(verdict, applicationUri));

    private sealed record LastVerdict(CertificateVerdict Verdict, string? ApplicationUri);
}
