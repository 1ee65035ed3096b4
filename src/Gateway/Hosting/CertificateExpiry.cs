using System.Diagnostics.Metrics;
using Gateway.Transport.Certificates;
using Gateway.Transport.Certificates.Inventory;
using Gateway.Transport.Timing;

namespace Gateway.Host.Hosting;

/// <summary>Looks every few seconds whether the gateway's own certificate was replaced, and once a day whether it is
/// about to expire; shows both on meter <c>Gateway.Pki</c>.</summary>
internal sealed partial class CertificateExpiry(
    ApplicationCertificateStore store, OwnCertificate own, OwnCertificateReload reload, TimeProvider time,
    ILogger<CertificateExpiry> logger) : IAsyncDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromDays(1);

    private readonly Meter _meter = new("Gateway.Pki");
    private ITimer? _timer;
    private ITimer? _look;

    public void Start()
    {
        _meter.CreateObservableGauge("gateway_certificate_remaining_seconds",
            () => (own.Current.Certificate.NotAfter.ToUniversalTime() - time.GetUtcNow().UtcDateTime).TotalSeconds, "s",
            "Time until the gateway's own certificate of OPC UA ends.");
        _meter.CreateObservableCounter("gateway_certificate_replacements_total", () => reload.Replaced, null,
            "Times that the gateway's own certificate of OPC UA was replaced while it ran.");
        _meter.CreateObservableCounter("gateway_certificate_replacement_failures_total", () => reload.Refused, null,
            "Changes of the files of the gateway's own certificate that could not be taken over.");
        reload.Look();
        _look = Contained.Every(time, PkiStore.PollInterval, reload.Look, LogLookFailed);
        _timer = Contained.Every(time, Interval, LookDaily, LogLookFailed);
    }

    /// <summary>One that lies there may have become valid, and its files have not changed.</summary>
    private void LookDaily()
    {
        reload.Apply();
        store.WarnBeforeExpiry(own.Current);
    }

    public async ValueTask DisposeAsync()
    {
        _meter.Dispose();
        foreach (var timer in new[] { _look, _timer })
        {
            if (timer is not null)
                await timer.DisposeAsync().ConfigureAwait(false);
        }
    }

    [LoggerMessage(
        EventId = 8030, Level = LogLevel.Error,
        Message = "Looking at the expiry of the gateway's certificate failed")]
    private partial void LogLookFailed(Exception error);
}
