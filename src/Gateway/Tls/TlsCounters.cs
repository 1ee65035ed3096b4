using System.Diagnostics.Metrics;

namespace Gateway.Host.Tls;

/// <summary>The certificate of HTTPS, on meter <c>Gateway.Tls</c>. Threads: any.</summary>
internal sealed class TlsCounters : IDisposable
{
    private readonly Meter _meter = new("Gateway.Tls");
    private Func<double>? _left;
    private long _loads;
    private long _failures;
    private long _delayed;
    private long _refused;

    /// <summary>Times that the certificate was taken over anew.</summary>
    public long Loads => Volatile.Read(ref _loads);

    /// <summary>Contents of its files that were of no use.</summary>
    public long Failures => Volatile.Read(ref _failures);

    /// <summary>Handshakes that waited for their turn.</summary>
    public long HandshakesDelayed => Volatile.Read(ref _delayed);

    /// <summary>Handshakes whose turn would have come too late.</summary>
    public long HandshakesRefused => Volatile.Read(ref _refused);

    public void Start()
    {
        _meter.CreateObservableCounter("gateway_http_tls_reloads_total", () => Loads, null,
            "Times that the certificate of HTTPS was taken over anew from its files.");
        _meter.CreateObservableCounter("gateway_http_tls_reload_failures_total", () => Failures, null,
            "Times that its files held nothing of use; the certificate before stayed.");
        _meter.CreateObservableCounter("gateway_http_tls_handshakes_delayed_total", () => HandshakesDelayed, null,
            "Waits of TLS handshakes for their turn.");
        _meter.CreateObservableCounter("gateway_http_tls_handshakes_refused_total", () => HandshakesRefused, null,
            "TLS handshakes whose turn would have come too late; their connections were closed.");
        _meter.CreateObservableGauge("gateway_http_tls_certificate_remaining_seconds", Remaining, "s",
            "Time until the certificate of HTTPS ends; nothing without HTTPS.");
    }

    /// <param name="left">Seconds that the certificate is valid.</param>
    public void Observe(Func<double> left) => _left = left;

    public void Loaded() => Interlocked.Increment(ref _loads);

    public void Failed() => Interlocked.Increment(ref _failures);

    public void HandshakeDelayed() => Interlocked.Increment(ref _delayed);

    public void HandshakeRefused() => Interlocked.Increment(ref _refused);

    public void Dispose() => _meter.Dispose();

    private IEnumerable<Measurement<double>> Remaining() => _left is { } left ? [new(left())] : [];
}
