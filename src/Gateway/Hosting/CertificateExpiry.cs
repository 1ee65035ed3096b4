using Gateway.Transport.Certificates;
using Gateway.Transport.Timing;

namespace Gateway.Host.Hosting;

/// <summary>Looks once a day whether the gateway's own certificate is about to expire.</summary>
internal sealed partial class CertificateExpiry(
    ApplicationCertificateStore store, ApplicationCertificate certificate, TimeProvider time,
    ILogger<CertificateExpiry> logger) : IAsyncDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromDays(1);

    private ITimer? _timer;

    public void Start() =>
        _timer = Contained.Every(time, Interval, () => store.WarnBeforeExpiry(certificate), LogLookFailed);

    public ValueTask DisposeAsync() => _timer?.DisposeAsync() ?? default;

    [LoggerMessage(Level = LogLevel.Error, Message = "Looking at the expiry of the gateway's certificate failed")]
    private partial void LogLookFailed(Exception error);
}
