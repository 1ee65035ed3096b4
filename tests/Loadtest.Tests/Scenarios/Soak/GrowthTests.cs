using Gateway.Loadtest.Scenarios.Soak;

namespace Gateway.Loadtest.Tests.Scenarios.Soak;

public sealed class GrowthTests
{
    [Fact]
    public void IsBeyond_ALeakOfOnePercentASample_IsCaught()
    {
        var growth = Of(Enumerable.Range(0, 30).Select(i => 100.0 + i));

        Assert.True(growth.IsBeyond(warmUpSamples: 0, percent: 10, absolute: 8));
        Assert.InRange(growth.Percent(0), 18, 20);
    }

    [Fact]
    public void IsBeyond_GrowthInTheWarmUpOnly_IsNoLeak()
    {
        var growth = Of(Enumerable.Range(0, 30).Select(i => i < 10 ? 50.0 + (5 * i) : 100));

        Assert.False(growth.IsBeyond(warmUpSamples: 10, percent: 2, absolute: 1));
        Assert.Equal(0, growth.Percent(10));
    }

    [Fact]
    public void IsBeyond_ALeakBehindTheWarmUp_IsCaughtThough()
    {
        var growth = Of(Enumerable.Range(0, 30).Select(i => i < 10 ? 50.0 + (5 * i) : 100 + i));

        Assert.True(growth.IsBeyond(warmUpSamples: 10, percent: 10, absolute: 8));
    }

    [Fact]
    public void IsBeyond_OnePeakAtTheEnd_IsNoLeak()
    {
        var growth = Of(Enumerable.Range(0, 30).Select(i => i == 29 ? 500.0 : 100));

        Assert.False(growth.IsBeyond(0, 2, 1));
    }

    [Fact]
    public void IsBeyond_AHundredPercentOfAlmostNothing_StaysBelowTheAbsoluteBound()
    {
        var growth = Of(Enumerable.Range(0, 30).Select(i => i < 15 ? 2.0 : 4));

        Assert.False(growth.IsBeyond(0, 10, absolute: 4));
        Assert.True(growth.IsBeyond(0, 10, absolute: 1));
    }

    [Fact]
    public void IsBeyond_Shrinking_IsNoLeak() =>
        Assert.False(Of(Enumerable.Range(0, 30).Select(i => 100.0 - i)).IsBeyond(0, 2, 1));

    [Fact]
    public void Percent_TooFewSamples_SaysNothing()
    {
        var growth = Of(Enumerable.Range(0, Growth.LeastSamples + 1).Select(i => 1.0 + i));

        Assert.True(double.IsNaN(growth.Percent(warmUpSamples: 2)));
        Assert.False(growth.IsBeyond(2, 2, 0));
    }

    [Fact]
    public void Add_NotKnown_IsNoSample()
    {
        var growth = Of([double.NaN, 1, double.NaN]);

        Assert.Equal(1, growth.Count);
    }

    private static Growth Of(IEnumerable<double> samples)
    {
        var growth = new Growth();
        foreach (var sample in samples)
            growth.Add(sample);
        return growth;
    }
}
