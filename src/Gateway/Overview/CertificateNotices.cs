using Gateway.Rest.Overview;
using Gateway.Transport.Certificates;

namespace Gateway.Host.Overview;

/// <summary>The gateway's own certificate that is about to end.</summary>
internal sealed class CertificateNotices(OwnCertificate own, TimeProvider time) : INoticeSource
{
    private const string Remedy =
        "Make a new own certificate or a signing request on the page Certificates, and let clients trust it.";

    public IEnumerable<Notice> Read()
    {
        var left = own.Current.Certificate.NotAfter.ToUniversalTime() - time.GetUtcNow().UtcDateTime;
        if (left <= TimeSpan.Zero)
            yield return new Notice(
                "certificate", "own", true, "The gateway's own certificate has ended: clients refuse it.", Remedy);
        else if (left < ApplicationCertificateStore.WarningTime)
            yield return new Notice(
                "certificate", "own", false, $"The gateway's own certificate ends in {(int)left.TotalDays} days.",
                Remedy);
    }
}
