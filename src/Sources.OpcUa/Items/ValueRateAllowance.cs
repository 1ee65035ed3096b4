namespace Gateway.Sources.OpcUa.Items;

/// <summary>
/// How many values may come over time (R42). An honest server sends what the queues of its items hold, at most once a
/// publishing interval; after a stall some of that comes at once. A server that sends without end would take a whole
/// core, though each message is small and brings a change. Thread: the connection's; Reset before there is one.
/// </summary>
/// <param name="publishingIntervalMs">As asked for. The server's revised interval does not count: it could be anything.
/// </param>
internal sealed class ValueRateAllowance(UpstreamLimits limits, TimeProvider time, double publishingIntervalMs)
{
    /// <summary>Of values at the full rate: the allowed burst.</summary>
    private const double SecondsAtOnce = 5;

    private readonly LeakyBucket _bucket = new(time);
    private double _intervalMs = publishingIntervalMs;

    /// <param name="intervalMs">Asked for from now on.</param>
    public void Reset(double intervalMs)
    {
        _intervalMs = intervalMs;
        _bucket.Reset();
    }

    /// <param name="values">That came.</param>
    /// <param name="items">That the server reports now.</param>
    public bool TryTake(int values, int items)
    {
        var most = limits.MaxUpstreamValuesPerSecond;
        var honest = items * ItemFollower.QueueSize * 1000.0 / Math.Max(1, _intervalMs);
        return _bucket.TryAdd(values, Math.Min(honest, most), SecondsAtOnce * most);
    }
}
