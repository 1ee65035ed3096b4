using System.Diagnostics.Metrics;

namespace Gateway.Host.Auditing;

/// <summary>Instruments about the audit files.</summary>
internal sealed class AuditMetrics : IDisposable
{
    private readonly Meter _meter = new("Gateway.Audit");

    public AuditMetrics(AuditStore store)
    {
        _meter.CreateObservableCounter("gateway_audit_lines_total", () => store.Written, null,
            "Lines of the audit trail that are on disk.");
        _meter.CreateObservableCounter("gateway_audit_lost_lines_total", () => store.Lost, null,
            "Lines of the audit trail that found no room in memory because the disk refused them.");
        _meter.CreateObservableCounter("gateway_audit_disk_errors_total", () => store.Failures, null,
            "Writes of the audit trail that the disk refused.");
        _meter.CreateObservableGauge("gateway_audit_file_bytes", () => store.FileBytes, "By",
            "Files of the audit trail now.");
        _meter.CreateObservableGauge("gateway_audit_queued_bytes", () => (long)store.QueuedBytes, "By",
            "Lines of the audit trail that wait for the disk now.");
    }

    public void Dispose() => _meter.Dispose();
}
