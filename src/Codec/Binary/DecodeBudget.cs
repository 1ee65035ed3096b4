using Gateway.Codec.Pooling;

namespace Gateway.Codec.Binary;

/// <summary>The memory that messages under decoding may take together, in all of the process (R04). A message asks
/// through its <see cref="DecodeMeter"/>, and gives back when its request is handled; large values count until the
/// collector has taken them. The last sixth is not given to a client that has more than a sixth already (R46).
/// Thread-safe.</summary>
public sealed class DecodeBudget(long limitBytes)
{
    /// <summary>Of the limit. As much again may be released before a collection ends.</summary>
    private const int UncollectedPart = 4;

    /// <summary>As in all fair caps: the reserve, and what a client may have to be served from it.</summary>
    private const int FairParts = 6;

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

    /// <summary>Messages that were refused because the budget was spent, or the remainder was reserved for
    /// others.</summary>
    public long Refusals => Volatile.Read(ref _refusals);

    internal bool TryReserve(long bytes, in DecodeHolders holders)
    {
        var collections = _uncollected.Collections;
        var held = holders.Add(bytes, collections);
        var now = Interlocked.Add(ref _bytes, bytes);
        var reserve = limitBytes / FairParts;
        var limit = held > reserve ? limitBytes - reserve : limitBytes;
        if (now + _uncollected.Bytes > limit)
        {
            Interlocked.Add(ref _bytes, -bytes);
            holders.Release(bytes, 0, collections);
            Interlocked.Increment(ref _refusals);
            return false;
        }

        if (now > _peak)
            Volatile.Write(ref _peak, now);
        return true;
    }

    /// <param name="bytes">All that was reserved.</param>
    /// <param name="largeBytes">Of objects that only a collection of all generations takes.</param>
    /// <param name="holders">Those that it was reserved for.</param>
    internal void Release(long bytes, long largeBytes, in DecodeHolders holders)
    {
        Interlocked.Add(ref _bytes, -bytes);
        holders.Release(bytes, largeBytes, _uncollected.Collections);
        if (largeBytes > 0)
            _uncollected.Add(largeBytes);
    }
}
