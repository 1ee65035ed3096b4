using System.Collections.Immutable;
using System.Diagnostics.Metrics;

namespace Gateway.Store;

/// <summary>
/// The instruments of meter <c>Gateway.Store</c>, one set for all logs and for the life of the process. With one set
/// each, the end of one log's meter would end the series of all: OpenTelemetry keeps one metric for all instruments of
/// a name, and drops it when one of them is disposed of. Threads: any.
/// </summary>
internal static class StoreInstruments
{
    public const string MeterName = "Gateway.Store";

    private static readonly Meter Meter = new(MeterName);
    private static ImmutableArray<StoreMetrics> _all = [];

    static StoreInstruments()
    {
        Count("gateway_store_appended_records_total", static one => one.Counters.Appended,
            "Records appended to the store.");
        Count("gateway_store_acknowledged_records_total", static one => one.Counters.Acknowledged,
            "Records whose delivery was acknowledged.");
        Meter.CreateObservableCounter(
            "gateway_store_lost_records_total", static () => _all.SelectMany(static one => one.MeasureLost()), null,
            "Records that were lost; each is in a gap.");
        Count("gateway_store_disk_errors_total", static one => one.State.DiskErrors, "Errors of the store's disk.");
        Show("gateway_store_bytes", static one => one.State.StoredBytes,
            "Bytes of the store's segments on disk.", "By");
        Show("gateway_store_max_bytes", static one => one.State.MaxBytes,
            "Bytes above which the oldest segment goes.", "By");
        Show("gateway_store_unwritten_bytes", static one => one.State.UnwrittenBytes,
            "Bytes of records that wait in memory for the disk.", "By");
        Show("gateway_store_records", static one => one.State.Records, "Records that were not acknowledged.");
        Show("gateway_store_oldest_age_seconds", static one => one.OldestAgeSeconds,
            "Age of the oldest record that was not acknowledged.", "s");
        Show("gateway_store_writing", static one => one.State.IsWriting ? 1 : 0, "1 while the disk takes records.");
    }

    public static void Add(StoreMetrics metrics) =>
        ImmutableInterlocked.Update(ref _all, static (all, one) => all.Add(one), metrics);

    public static void Remove(StoreMetrics metrics) =>
        ImmutableInterlocked.Update(ref _all, static (all, one) => all.Remove(one), metrics);

    private static void Count(string name, Func<StoreMetrics, long> value, string description) =>
        Meter.CreateObservableCounter(
            name, () => _all.Select(one => new Measurement<long>(value(one), one.Tag)), null, description);

    private static void Show(
        string name, Func<StoreMetrics, double> value, string description, string? unit = null) =>
        Meter.CreateObservableGauge(
            name, () => _all.Select(one => new Measurement<double>(value(one), one.Tag)), unit, description);
}
