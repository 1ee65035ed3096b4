using System.Diagnostics.Metrics;

namespace Gateway.Host.Telemetry;

/// <summary>One of traces, metrics and logs: what waits, and what became of it. Any thread.</summary>
internal sealed class OtlpSignal(string name)
{
    private readonly KeyValuePair<string, object?> _tag = new("signal", name);
    private long _waiting;
    private long _exported;
    private long _failed;
    private long _dropped;

    public string Name { get; } = name;

    public long Waiting => Interlocked.Read(ref _waiting);

    public long Exported => Interlocked.Read(ref _exported);

    public long Failed => Interlocked.Read(ref _failed);

    public long Dropped => Interlocked.Read(ref _dropped);

    /// <summary>False: as many wait as may; it is dropped and counted.</summary>
    public bool TryQueue(int limit)
    {
        if (Interlocked.Increment(ref _waiting) <= limit)
            return true;
        Interlocked.Decrement(ref _waiting);
        Interlocked.Increment(ref _dropped);
        return false;
    }

    /// <summary>It is dropped for another reason, and counted.</summary>
    public void Drop() => Interlocked.Increment(ref _dropped);

    /// <summary>They wait no longer.</summary>
    public void Leave(long count) => Interlocked.Add(ref _waiting, -count);

    public void End(long count, bool isTaken) => Interlocked.Add(ref isTaken ? ref _exported : ref _failed, count);

    public Measurement<long> Measure(long value) => new(value, _tag);
}
