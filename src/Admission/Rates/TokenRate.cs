namespace Gateway.Admission.Rates;

/// <summary>What the buckets of one limit share: how often a token comes, and how many a bucket holds, in timestamps.
/// </summary>
internal sealed class TokenRate
{
    /// <summary>How much of a permitted rate of connections or requests may come at once.</summary>
    public static readonly TimeSpan Burst = TimeSpan.FromSeconds(3);

    /// <param name="time">Whose timestamps count.</param>
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
