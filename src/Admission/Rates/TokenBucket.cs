using System.Threading.RateLimiting;

namespace Gateway.Admission.Rates;

/// <summary>A token bucket that is one number: the time at which it will be full again (GCRA). No timer, no queue;
/// small enough for one an address. Threads: any, without a lock.</summary>
internal sealed class TokenBucket(TokenRate rate) : RateLimiter
{
    private static readonly TokenLease Acquired = new(true, TimeSpan.Zero);

    private long _fullAt = rate.Time.GetTimestamp();

    public override TimeSpan? IdleDuration
    {
        get
        {
            var idle = rate.Time.GetElapsedTime(Volatile.Read(ref _fullAt));
            return idle < TimeSpan.Zero ? null : idle;
        }
    }

    /// <param name="retryAfter">Where it says false: when the next token is there.</param>
    public bool TryTake(out TimeSpan retryAfter) => TryTake(1, out retryAfter);

    public override RateLimiterStatistics GetStatistics()
    {
        var missing = Math.Max(0, Volatile.Read(ref _fullAt) - rate.Time.GetTimestamp());
        return new RateLimiterStatistics
        {
            CurrentAvailablePermits = Math.Max(0, (rate.Depth - missing) / rate.Interval),
        };
    }

    protected override RateLimitLease AttemptAcquireCore(int permitCount) =>
        TryTake(permitCount, out var retryAfter) ? Acquired : new TokenLease(false, retryAfter);

    protected override ValueTask<RateLimitLease> AcquireAsyncCore(
        int permitCount, CancellationToken cancellationToken) => ValueTask.FromResult(AttemptAcquireCore(permitCount));

    private bool TryTake(int count, out TimeSpan retryAfter)
    {
        while (true)
        {
            var now = rate.Time.GetTimestamp();
            var before = Volatile.Read(ref _fullAt);
            var after = Math.Max(before, now) + (count * rate.Interval);
            if (after - now > rate.Depth)
            {
                retryAfter = rate.Time.GetElapsedTime(now, after - rate.Depth);
                return false;
            }

            if (Interlocked.CompareExchange(ref _fullAt, after, before) != before)
                continue;
            retryAfter = TimeSpan.Zero;
            return true;
        }
    }
}
