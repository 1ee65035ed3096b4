using Gateway.Transport.Certificates;

namespace Gateway.Host.Hosting;

/// <summary>Looks once a day whether the gateway's own certificate is about to expire.</summary>
internal sealed class CertificateExpiry(
    ApplicationCertificateStore store, ApplicationCertificate certificate, TimeProvider time) : IAsyncDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromDays(1);

    private ITimer? _timer;

    public void Start() =>
        _timer = time.CreateTimer(_ => store.WarnBeforeExpiry(certificate), null, Interval, Interval);

    public ValueTask DisposeAsync() => _timer?.DisposeAsync() ?? default;
}
