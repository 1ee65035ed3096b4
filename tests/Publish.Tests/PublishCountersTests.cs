namespace Gateway.Publish.Tests;

public sealed class PublishCountersTests
{
    [Fact]
    public void TakeWorstLateness_Sweeps_TheLatestOnce()
    {
        using var counters = new PublishCounters(new PublishLimits());
        counters.OnSweep(TimeSpan.FromMilliseconds(3).Ticks);
        counters.OnSweep(TimeSpan.FromMilliseconds(70).Ticks);
        counters.OnSweep(TimeSpan.FromMilliseconds(20).Ticks);

        Assert.Equal(TimeSpan.FromMilliseconds(70), counters.TakeWorstLateness());
        Assert.Equal(TimeSpan.Zero, counters.TakeWorstLateness());
        counters.OnSweep(TimeSpan.FromMilliseconds(1).Ticks);
        Assert.Equal(TimeSpan.FromMilliseconds(1), counters.TakeWorstLateness());
    }
}
