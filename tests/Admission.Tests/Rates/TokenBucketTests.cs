using System.Threading.RateLimiting;
using Gateway.Admission.Rates;
using Gateway.Testing;

namespace Gateway.Admission.Tests.Rates;

public class TokenBucketTests
{
    private readonly ManualTimeProvider _time = new();

    private TokenBucket Bucket() => new TokenRate(_time, 100, TimeSpan.FromSeconds(3)).NewBucket();

    private static int TakeAll(TokenBucket bucket)
    {
        var taken = 0;
        while (bucket.TryTake(out _))
            taken++;
        return taken;
    }

    [Fact]
    public void TryTake_Full_BurstThenRate()
    {
        var bucket = Bucket();

        Assert.Equal(300, TakeAll(bucket));
        _time.Advance(1000);
        Assert.Equal(100, TakeAll(bucket));
        _time.Advance(60_000);
        Assert.Equal(300, TakeAll(bucket));
    }

    [Fact]
    public void TryTake_Empty_SaysWhenTheNextIsThere()
    {
        var bucket = Bucket();
        TakeAll(bucket);

        Assert.False(bucket.TryTake(out var retryAfter));
        Assert.Equal(10, retryAfter.TotalMilliseconds, 0.01);
        _time.Advance(retryAfter);
        Assert.True(bucket.TryTake(out _));
    }

    [Fact]
    public void AttemptAcquire_AsARateLimiter_LeaseWithMetadata()
    {
        var bucket = Bucket();
        Assert.Equal(300, bucket.GetStatistics()!.CurrentAvailablePermits);
        using var all = bucket.AttemptAcquire(300);
        using var none = bucket.AttemptAcquire();

        Assert.True(all.IsAcquired);
        Assert.False(none.IsAcquired);
        Assert.True(none.TryGetMetadata(MetadataName.RetryAfter, out var retryAfter));
        Assert.Equal(10, retryAfter.TotalMilliseconds, 0.01);
        Assert.Null(bucket.IdleDuration);
        _time.Advance(4000);
        Assert.Equal(1000, bucket.IdleDuration!.Value.TotalMilliseconds, 0.01);
    }

    [Fact]
    public void TryTake_Warm_AllocatesNothing()
    {
        var bucket = new TokenRate(TimeProvider.System, 1_000_000, TimeSpan.FromSeconds(3)).NewBucket();

        Assert.Equal(0, Allocations.OfThousand(() => bucket.TryTake(out _)));
    }
}
