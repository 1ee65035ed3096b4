using System.Globalization;
using Gateway.Rest.Overview;
using Gateway.Sources;
using Gateway.Sources.Upstreams;
using Gateway.Transport.Certificates;

namespace Gateway.Host.Overview;

/// <summary>Certificates that upstreams have shown and that are about to end, or have ended. One that is in the trust
/// lists itself is told by <see cref="TrustNotices"/>, under the same subject; one that an authority has signed is in
/// none of them.</summary>
/// <param name="drivers">Made later: the paths are mapped before drivers start.</param>
/// <param name="time">For what is left.</param>
internal sealed class UpstreamCertificateNotices(Lazy<SourceDrivers> drivers, TimeProvider time) : INoticeSource
{
    private const string Remedy =
        "Give the upstream a new certificate. One of the same authority is trusted; the page Certificates says whether "
        + "it waits for you, because it has changed.";

    public IEnumerable<Notice> Read() => Of(drivers.Value.Upstreams());

    internal IEnumerable<Notice> Of(IEnumerable<UpstreamReport> reports)
    {
        var now = time.GetUtcNow();
        return
            from report in reports
            from certificate in report.Certificates
            where certificate.NotAfter < now + ApplicationCertificateStore.WarningTime
            select Of(report.Name, certificate, certificate.NotAfter - now);
    }

    private static Notice Of(string upstream, PresentedCertificate certificate, TimeSpan left)
    {
        var hasEnded = left <= TimeSpan.Zero;
        var fate = hasEnded
            ? "has ended: the gateway does not connect to it again."
            : string.Create(CultureInfo.InvariantCulture, $"ends in {(int)left.TotalDays} days.");
        return new Notice(
            TrustNotices.Kind, certificate.Thumbprint, hasEnded, $"The certificate of upstream {upstream} {fate}",
            Remedy)
        {
            CertificateEnd = certificate.NotAfter.UtcDateTime,
            PublicWords = $"The certificate of an upstream with the thumbprint {certificate.Thumbprint} {fate}",
        };
    }
}
