namespace Gateway.Rest.Budgets;

/// <summary>The tests of upstreams that may be under way at one time: each keeps a connection. Thread-safe.</summary>
internal sealed class UpstreamTestPlaces(RestLimits limits)
{
    private int _underWay;
    private long _refused;

    public int UnderWay => Volatile.Read(ref _underWay);

    public long Refused => Volatile.Read(ref _refused);

    /// <summary>False: there are too many, and this one is counted.</summary>
    public bool TryEnter()
    {
        if (Interlocked.Increment(ref _underWay) <= limits.MaxHttpUpstreamTests)
            return true;
        Leave();
        Interlocked.Increment(ref _refused);
        return false;
    }

    public void Leave() => Interlocked.Decrement(ref _underWay);
}
