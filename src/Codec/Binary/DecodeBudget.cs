namespace Gateway.Codec.Binary;

/// <summary>The memory that messages under decoding may take together, in all of the process (R04). A message asks
/// through its <see cref="DecodeMeter"/>, and gives back when its request is handled. Thread-safe.</summary>
public sealed class DecodeBudget(long limitBytes)
{
    private long _bytes;
    private long _peak;
    private long _refusals;

    public long LimitBytes => limitBytes;

    /// <summary>Now in use, in steps of the meters.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>The most that was in use.</summary>
    public long PeakBytes => Volatile.Read(ref _peak);

    /// <summary>Messages that were refused because the budget was spent.</summary>
    public long Refusals => Volatile.Read(ref _refusals);

    internal bool TryReserve(long bytes)
    {
        var now = Interlocked.Add(ref _bytes, bytes);
        if (now > limitBytes)
        {
            Interlocked.Add(ref _bytes, -bytes);
            Interlocked.Increment(ref _refusals);
            return false;
        }

        if (now > _peak)
            Volatile.Write(ref _peak, now);
        return true;
    }

    internal void Release(long bytes) => Interlocked.Add(ref _bytes, -bytes);
}
