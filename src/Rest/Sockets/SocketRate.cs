namespace Gateway.Rest.Sockets;

/// <summary>So many a second, three times as many at once. One thread at a time.</summary>
internal struct SocketRate(int perSecond)
{
    private const int BurstSeconds = 3;

    private long _fullAt;

    public bool TryTake(TimeProvider time)
    {
        var now = time.GetTimestamp();
        var after = Math.Max(_fullAt, now) + (time.TimestampFrequency / perSecond);
        if (after - now > BurstSeconds * time.TimestampFrequency)
            return false;
        _fullAt = after;
        return true;
    }

    /// <summary>Counts what was taken already: the next wait for it.</summary>
    public void Charge(TimeProvider time, int count) =>
        _fullAt = Math.Max(_fullAt, time.GetTimestamp()) + (count * time.TimestampFrequency / perSecond);
}
