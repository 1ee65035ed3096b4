using Gateway.Codec.Pooling;

namespace Gateway.Codec.Binary;

/// <summary>The memory that messages under decoding may take together, in all of the process (R04). A message asks
/// through its <see cref="DecodeMeter"/>, and gives back when its request is handled; large values count until the
/// collector has taken them. Thread-safe.</summary>
public sealed class DecodeBudget(long limitBytes)
{
    /// <summary>Of the limit. What is let go of before a collection ends may be as much again.</summary>
    private const int UncollectedPart = 4;

    private readonly UncollectedBytes _uncollected = new(limitBytes / UncollectedPart);
    private long _bytes;
    private long _peak;
    private long _refusals;

    public long LimitBytes => limitBytes;

    /// <summary>Now in use, in steps of the meters.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Large values that were in use and are still in memory.</summary>
    public long UncollectedBytes => _uncollected.Bytes;

    /// <summary>The most that was in use.</summary>
    public long PeakBytes => Volatile.Read(ref _peak);

    /// <summary>Messages that were refused because the budget was spent.</summary>
    public long Refusals => Volatile.Read(ref _refusals);

    internal bool TryReserve(long bytes)
    {
        var now = Interlocked.Add(ref _bytes, bytes);
        if (now + _uncollected.Bytes > limitBytes)
        {
            Interlocked.Add(ref _bytes, -bytes);
            Interlocked.Increment(ref _refusals);
            return false;
        }

        if (now > _peak)
            Volatile.Write(ref _peak, now);
        return true;
    }

    /// <param name="bytes">All that was reserved.</param>
    /// <param name="largeBytes">Of objects that only a collection of all generations takes.</param>
    internal void Release(long bytes, long largeBytes)
    {
        Interlocked.Add(ref _bytes, -bytes);
        if (largeBytes > 0)
            _uncollected.Add(largeBytes);
    }
}
