using System.Numerics;

namespace Gateway.Loadtest.Checks;

/// <summary>Times from 1 µs to 19 hours in buckets at most 1.6 % wide, log-linear: 64 to an octave. Threads: any add;
/// percentiles are of the values added before they were asked for.</summary>
internal sealed class Histogram
{
    private const int SubBits = 6;
    private const int Sub = 1 << SubBits;
    private const int Octaves = 31;

    private readonly long[] _buckets = new long[Sub * Octaves];
    private long _maximum;

    public long Count
    {
        get
        {
            long count = 0;
            foreach (var bucket in _buckets)
                count += bucket;
            return count;
        }
    }

    /// <summary>By the middles of the buckets; NaN when empty.</summary>
    public double MeanMs
    {
        get
        {
            var (sum, count) = (0.0, 0L);
            for (var i = 0; i < _buckets.Length; i++)
            {
                sum += _buckets[i] * (EndOf(i - 1) + 1 + EndOf(i)) / 2.0;
                count += _buckets[i];
            }

            return sum / count / 1000;
        }
    }

    public double MaximumMs => Count == 0 ? double.NaN : Volatile.Read(ref _maximum) / 1000.0;

    /// <summary>Less than nothing counts as nothing: two clocks.</summary>
    public void Add(double ms, long count = 1)
    {
        var microseconds = (long)Math.Clamp(ms * 1000, 0, 1L << (Octaves + SubBits - 2));
        Interlocked.Add(ref _buckets[IndexOf(microseconds)], count);
        var maximum = Volatile.Read(ref _maximum);
        while (microseconds > maximum)
            maximum = Math.Max(maximum, Interlocked.CompareExchange(ref _maximum, microseconds, maximum));
    }

    /// <summary>The upper end of the bucket that holds the percentile, at most the maximum; NaN when empty.</summary>
    public double PercentileMs(double fraction)
    {
        var left = (long)Math.Ceiling(Count * fraction);
        for (var i = 0; i < _buckets.Length && left > 0; i++)
        {
            left -= _buckets[i];
            if (left <= 0)
                return Math.Min(EndOf(i) / 1000.0, MaximumMs);
        }

        return double.NaN;
    }

    public void Clear()
    {
        Array.Clear(_buckets);
        _maximum = 0;
    }

    /// <summary>Below 64 each value has its bucket; above, an octave's 64 upper steps of which the lower half
    /// belongs to
    /// the octave before.</summary>
    private static int IndexOf(long value)
    {
        if (value < Sub)
            return (int)value;
        var octave = BitOperations.Log2((ulong)value) - SubBits + 1;
        return (octave * (Sub / 2)) + (int)(value >> octave);
    }

    private static double EndOf(int index)
    {
        if (index < Sub)
            return index;
        var octave = (index / (Sub / 2)) - 1;
        return ((index - (octave * (Sub / 2)) + 1L) << octave) - 1;
    }
}
