namespace Gateway.Admission.Rates;

/// <summary>The parameters that the buckets of one limit share: the time between tokens and the size of a bucket, in
/// timestamps.
/// </summary>
internal sealed class TokenRate
{
    /// <summary>How much of a permitted rate of connections or requests may come at once.</summary>
    public static readonly TimeSpan Burst = TimeSpan.FromSeconds(3);

    /// <param name="time">The clock of the timestamps.</param>
    /// <param name="perSecond">Tokens a second.</param>
    /// <param name="burst">A bucket holds as many tokens as come in this time.</param>
    public TokenRate(TimeProvider time, int perSecond, TimeSpan burst)
    {
        Time = time;
        Interval = Math.Max(1, time.TimestampFrequency / Math.Max(1, perSecond));
        Depth = Math.Max(Interval, (long)(burst.TotalSeconds * time.TimestampFrequency));
    }

    public TimeProvider Time { get; }

    public long Interval { get; }

    public long Depth { get; }

    /// <summary>Full. It holds nothing that would have to be disposed.</summary>
    public TokenBucket NewBucket() => new(this);
}
