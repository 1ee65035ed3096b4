using System.Diagnostics.Metrics;

namespace Gateway.Store;

/// <summary>One log's counts, which <see cref="StoreInstruments"/> shows until it is disposed of; the label is its
/// configured name. Threads: any.</summary>
internal sealed class StoreMetrics : IDisposable
{
    private static readonly (GapReason Reason, string Label)[] Reasons =
    [
        (GapReason.QueueFull, "queue_full"), (GapReason.Overwritten, "overwritten"),
        (GapReason.Unreadable, "unreadable"), (GapReason.TooLarge, "too_large"), (GapReason.Discarded, "discarded"),
    ];

    private readonly StoreLog _log;
    private readonly TimeProvider _time;

    public StoreMetrics(string name, StoreLog log, LogCounters counters, TimeProvider time)
    {
        (_log, Counters, _time) = (log, counters, time);
        Tag = new KeyValuePair<string, object?>("store", name);
        StoreInstruments.Add(this);
    }

    public KeyValuePair<string, object?> Tag { get; }

    public LogCounters Counters { get; }

    public StoreState State => _log.State;

    public double OldestAgeSeconds =>
        State.OldestTime is { } oldest ? (_time.GetUtcNow().UtcDateTime - oldest).TotalSeconds : 0;

    public IEnumerable<Measurement<long>> MeasureLost() => Reasons.Select(row => new Measurement<long>(
        Counters.LostBy(row.Reason), Tag, new KeyValuePair<string, object?>("reason", row.Label)));

    public void Dispose() => StoreInstruments.Remove(this);
}
