namespace Gateway.Store;

/// <summary>How fast a log grows and drains, as means over about a minute. Threads: the disk's updates, any reads.
/// </summary>
internal sealed class LogRates(TimeProvider time)
{
    private static readonly TimeSpan Memory = TimeSpan.FromMinutes(1);

    private long _at = time.GetTimestamp();
    private (long In, long Out, long Bytes) _last;
    private bool _hasRate;
    private double _in;
    private double _out;
    private double _growth;

    public double In => Volatile.Read(ref _in);

    public double Out => Volatile.Read(ref _out);

    public double Growth => Volatile.Read(ref _growth);

    /// <param name="storedBytes">When the log was opened.</param>
    public void Begin(long storedBytes) => _last.Bytes = storedBytes;

    public void Update(long appended, long acknowledged, long storedBytes)
    {
        var elapsed = time.GetElapsedTime(_at);
        if (elapsed < TimeSpan.FromSeconds(1))
            return;
        var weight = _hasRate ? 1 - Math.Exp(-elapsed / Memory) : 1;
        Move(ref _in, appended - _last.In, elapsed, weight);
        Move(ref _out, acknowledged - _last.Out, elapsed, weight);
        Move(ref _growth, storedBytes - _last.Bytes, elapsed, weight);
        (_at, _last, _hasRate) = (time.GetTimestamp(), (appended, acknowledged, storedBytes), true);
    }

    private static void Move(ref double rate, long count, TimeSpan elapsed, double weight) =>
        Volatile.Write(ref rate, rate + weight * (count / elapsed.TotalSeconds - rate));
}
