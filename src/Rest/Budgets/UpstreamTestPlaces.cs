namespace Gateway.Rest.Budgets;

/// <summary>The places of connections that are tried for users. Thread-safe.</summary>
internal sealed class UpstreamTestPlaces(RestLimits limits)
{
    private int _underWay;
    private long _refused;

    public int UnderWay => Volatile.Read(ref _underWay);

    public long Refused => Volatile.Read(ref _refused);

    /// <summary>False: all are taken, and the refusal is counted.</summary>
    public bool TryEnter()
    {
        if (Interlocked.Increment(ref _underWay) <= limits.MaxHttpUpstreamTests)
            return true;
        Interlocked.Decrement(ref _underWay);
        Interlocked.Increment(ref _refused);
        return false;
    }

    public void Leave() => Interlocked.Decrement(ref _underWay);
}
