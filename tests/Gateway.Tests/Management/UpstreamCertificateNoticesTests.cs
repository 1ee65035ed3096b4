using Gateway.Codec.Structures;
using Gateway.Host.Overview;
using Gateway.Sources;
using Gateway.Sources.Upstreams;
using Gateway.Testing;

namespace Gateway.Tests.Management;

public sealed class UpstreamCertificateNoticesTests
{
    /// <summary>An authority vouches for it: it is in no trust list.</summary>
    [Theory]
    [InlineData(61, null)]
    [InlineData(20, false)]
    [InlineData(-1, true)]
    public void Read_CertificateThatAnUpstreamShows_ToldBeforeItsEnd(int days, bool? isFault)
    {
        var time = new ManualTimeProvider();
        var end = time.GetUtcNow().AddDays(days);
        var report = new UpstreamReport
        {
            Name = "Press",
            Driver = "opcua",
            EndpointUrl = "opc.tcp://press:4840",
            SecurityMode = MessageSecurityMode.SignAndEncrypt,
            State = SourceState.Online,
            Since = DateTimeOffset.UnixEpoch,
            Counts = new UpstreamCounts(),
            Certificates = [new PresentedCertificate("ABCD", end)],
        };

        var notices = new UpstreamCertificateNotices(null!, time).Of([report]).ToList();

        if (isFault is null)
        {
            Assert.Empty(notices);
            return;
        }

        var notice = Assert.Single(notices);
        Assert.Equal(
            (TrustNotices.Kind, "ABCD", isFault.Value, end.UtcDateTime),
            (notice.Kind, notice.Subject, notice.IsFault, notice.CertificateEnd));
        Assert.Contains("of upstream Press", notice.Words, StringComparison.Ordinal);
        Assert.DoesNotContain("Press", notice.PublicWords, StringComparison.Ordinal);
    }
}
