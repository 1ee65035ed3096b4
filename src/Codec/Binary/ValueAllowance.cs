using Gateway.Codec.Types;

namespace Gateway.Codec.Binary;

/// <summary>How much memory the decoded values of one request's answers may hold, though each answer had
/// <see cref="DecodingLimits"/> of its own. The first value that does not fit ends it: nothing after it is taken.
/// Threads: any.</summary>
/// <param name="bytes">Of one request.</param>
/// <param name="hold">Counts each value in the budget of all requests before it is kept; false: there is no room.
/// Null: nobody counts them.</param>
public sealed class ValueAllowance(long bytes, Func<long, bool>? hold = null)
{
    private long _left = bytes;

    /// <summary>Something did not fit.</summary>
    public bool IsSpent => Volatile.Read(ref _left) < 0;

    /// <summary>False: the value is to be dropped.</summary>
    public bool TryTake(in Variant value) => !IsSpent && Take(ValueSize.Of(value));

    /// <summary>Of all of them together.</summary>
    public bool TryTake(ReadOnlySpan<Variant> values)
    {
        foreach (ref readonly var value in values)
        {
            if (!TryTake(value))
                return false;
        }

        return !IsSpent;
    }

    private bool Take(long size)
    {
        if (Interlocked.Add(ref _left, -size) >= 0 && (size == 0 || hold is null || hold(size)))
            return true;
        // For good, and far from where it would wrap round.
        Interlocked.Exchange(ref _left, long.MinValue / 2);
        return false;
    }
}
