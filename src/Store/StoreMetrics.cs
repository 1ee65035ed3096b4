using System.Diagnostics.Metrics;

namespace Gateway.Store;

/// <summary>One log's instruments of meter <c>Gateway.Store</c>; the label is its configured name. Threads: any.
/// </summary>
internal sealed class StoreMetrics : IDisposable
{
    public const string MeterName = "Gateway.Store";

    private static readonly (GapReason Reason, string Label)[] Reasons =
    [
        (GapReason.QueueFull, "queue_full"), (GapReason.Overwritten, "overwritten"),
        (GapReason.Unreadable, "unreadable"), (GapReason.TooLarge, "too_large"), (GapReason.Discarded, "discarded"),
    ];

    private readonly Meter _meter = new(MeterName);
    private readonly KeyValuePair<string, object?> _store;

    public StoreMetrics(string name, StoreLog log, LogCounters counters, TimeProvider time)
    {
        _store = new KeyValuePair<string, object?>("store", name);
        Count("gateway_store_appended_records_total", () => counters.Appended, "Records appended to the store.");
        Count("gateway_store_acknowledged_records_total", () => counters.Acknowledged,
            "Records whose delivery was acknowledged.");
        _meter.CreateObservableCounter(
            "gateway_store_lost_records_total",
            () => Reasons.Select(row => new Measurement<long>(
                counters.LostBy(row.Reason), _store, new KeyValuePair<string, object?>("reason", row.Label))),
            null, "Records that were lost; each is in a gap.");
        Count("gateway_store_disk_errors_total", () => log.State.DiskErrors, "Errors of the store's disk.");
        Measure("gateway_store_bytes", () => log.State.StoredBytes, "Bytes of the store's segments on disk.", "By");
        Measure("gateway_store_max_bytes", () => log.State.MaxBytes,
            "Bytes above which the oldest segment goes.", "By");
        Measure("gateway_store_unwritten_bytes", () => log.State.UnwrittenBytes,
            "Bytes of records that wait in memory for the disk.", "By");
        Measure("gateway_store_records", () => log.State.Records, "Records that were not acknowledged.");
        Measure("gateway_store_oldest_age_seconds",
            () => log.State.OldestTime is { } oldest ? (time.GetUtcNow().UtcDateTime - oldest).TotalSeconds : 0,
            "Age of the oldest record that was not acknowledged.", "s");
        Measure("gateway_store_writing", () => log.State.IsWriting ? 1 : 0, "1 while the disk takes records.");
    }

    public void Dispose() => _meter.Dispose();

    private void Count(string name, Func<long> value, string description) => _meter.CreateObservableCounter(
        name, () => new Measurement<long>(value(), _store), null, description);

    private void Measure(string name, Func<double> value, string description, string? unit = null) =>
        _meter.CreateObservableGauge(name, () => new Measurement<double>(value(), _store), unit, description);
}
