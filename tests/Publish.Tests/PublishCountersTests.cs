using Gateway.AddressSpace.Values;
using Gateway.Transport.Timing;

namespace Gateway.Publish.Tests;

public sealed class PublishCountersTests
{
    [Fact]
    public void Lateness_Sweeps_TheLatestOnce()
    {
        var lateness = new PlantLateness();
        using var counters = new PublishCounters(
            new PublishLimits(), lateness, new ValueStore(TimeProvider.System),
            new PublishFaultLog(static _ => { }, static _ => { }, static _ => { }));
        counters.OnSweep(TimeSpan.FromMilliseconds(3).Ticks);
        counters.OnSweep(TimeSpan.FromMilliseconds(70).Ticks);
        counters.OnSweep(TimeSpan.FromMilliseconds(20).Ticks);

        Assert.Equal(TimeSpan.FromMilliseconds(70), lateness.TakeWorst());
        Assert.Equal(TimeSpan.Zero, lateness.TakeWorst());
        counters.OnSweep(TimeSpan.FromMilliseconds(1).Ticks);
        Assert.Equal(TimeSpan.FromMilliseconds(1), lateness.TakeWorst());
    }
}
