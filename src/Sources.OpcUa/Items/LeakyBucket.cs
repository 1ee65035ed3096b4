namespace Gateway.Sources.OpcUa.Items;

/// <summary>How far the received amount is ahead of a rate. Thread: its owner's.</summary>
internal sealed class LeakyBucket(TimeProvider time)
{
    private long _since = time.GetTimestamp();
    private double _level;

    public void Reset() => _level = 0;

    /// <summary>False: the amount is more than <paramref name="capacity"/> ahead of the rate.</summary>
    public bool TryAdd(double amount, double perSecond, double capacity)
    {
        var now = time.GetTimestamp();
        _level = Math.Max(0, _level - (time.GetElapsedTime(_since, now).TotalSeconds * perSecond)) + amount;
        _since = now;
        return _level <= capacity;
    }
}
