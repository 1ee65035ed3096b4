using System.Diagnostics.Metrics;
using Gateway.Transport.Certificates;
using Gateway.Transport.Timing;

namespace Gateway.Host.Hosting;

/// <summary>Looks once a day whether the gateway's own certificate is about to expire, and shows the time that is left
/// on meter <c>Gateway.Pki</c>.</summary>
internal sealed partial class CertificateExpiry(
    ApplicationCertificateStore store, ApplicationCertificate certificate, TimeProvider time,
    ILogger<CertificateExpiry> logger) : IAsyncDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromDays(1);

    private readonly Meter _meter = new("Gateway.Pki");
    private ITimer? _timer;

    public void Start()
    {
        _meter.CreateObservableGauge("gateway_certificate_remaining_seconds",
            () => (certificate.Certificate.NotAfter.ToUniversalTime() - time.GetUtcNow().UtcDateTime).TotalSeconds, "s",
            "Time until the gateway's own certificate of OPC UA ends.");
        _timer = Contained.Every(time, Interval, () => store.WarnBeforeExpiry(certificate), LogLookFailed);
    }

    public ValueTask DisposeAsync()
    {
        _meter.Dispose();
        return _timer?.DisposeAsync() ?? default;
    }

    [LoggerMessage(
        EventId = 8030, Level = LogLevel.Error,
        Message = "Looking at the expiry of the gateway's certificate failed")]
    private partial void LogLookFailed(Exception error);
}
