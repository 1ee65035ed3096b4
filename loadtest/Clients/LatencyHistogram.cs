namespace Gateway.Loadtest.Clients;

/// <summary>Source time to receipt, by the wall clock that both processes share; 0.1 ms wide up to 10 s. One thread
/// writes.</summary>
internal sealed class LatencyHistogram(TimeProvider time)
{
    private const int BucketsPerMs = 10;

    private readonly long[] _buckets = new long[10_000 * BucketsPerMs];
    private long _count;

    public double MaximumMs { get; private set; }

    public void Add(DateTime sourceTimestamp)
    {
        var ms = (time.GetUtcNow().UtcDateTime - sourceTimestamp).TotalMilliseconds;
        _buckets[(int)Math.Clamp(ms * BucketsPerMs, 0, _buckets.Length - 1)]++;
        _count++;
        MaximumMs = Math.Max(MaximumMs, ms);
    }

    /// <summary>NaN before the first value.</summary>
    public double PercentileMs(double fraction)
    {
        var left = (long)Math.Ceiling(_count * fraction);
        for (var i = 0; i < _buckets.Length && _count > 0; i++)
        {
            left -= _buckets[i];
            if (left <= 0)
                return (i + 1.0) / BucketsPerMs;
        }

        return double.NaN;
    }
}
