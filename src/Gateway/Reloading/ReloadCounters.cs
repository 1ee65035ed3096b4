using System.Diagnostics.Metrics;
using Gateway.Rest.Management;

namespace Gateway.Host.Reloading;

/// <summary>Reloads of the configuration, on meter <c>Gateway.Configuration</c>. Threads: any.</summary>
internal sealed class ReloadCounters : IDisposable
{
    private readonly Meter _meter = new("Gateway.Configuration");
    private long _applied;
    private long _rejected;
    private long _pending;
    private volatile bool _isRejected;

    public long Applied => Volatile.Read(ref _applied);

    public long Rejected => Volatile.Read(ref _rejected);

    public void Start()
    {
        _meter.CreateObservableCounter("gateway_configuration_reloads_total", () => Applied, null,
            "Times that the configuration was read again and taken over.");
        _meter.CreateObservableCounter("gateway_configuration_reload_failures_total", () => Rejected, null,
            "Times that the configuration that was read again was wrong; the old one stayed.");
        _meter.CreateObservableGauge("gateway_configuration_last_reload_failed", () => _isRejected ? 1 : 0, null,
            "1: the configuration that was read last was wrong, or not all of it could be taken over.");
        _meter.CreateObservableGauge("gateway_configuration_restart_keys", () => Volatile.Read(ref _pending), null,
            "Keys whose new value is in force after the next start only.");
    }

    /// <param name="verdict">Of what was read.</param>
    /// <param name="pending">Keys that need a restart.</param>
    public void Count(ConfigurationVerdict verdict, int pending)
    {
        _isRejected = !verdict.IsGood || verdict.Faults.Count > 0;
        Interlocked.Increment(ref verdict.IsGood ? ref _applied : ref _rejected);
        Volatile.Write(ref _pending, pending);
    }

    public void Dispose() => _meter.Dispose();
}
