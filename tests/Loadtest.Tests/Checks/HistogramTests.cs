using Gateway.Loadtest.Checks;

namespace Gateway.Loadtest.Tests.Checks;

public sealed class HistogramTests
{
    private readonly Histogram _histogram = new();

    [Fact]
    public void PercentileMs_Empty_IsNotKnown()
    {
        Assert.True(double.IsNaN(_histogram.PercentileMs(0.5)));
        Assert.True(double.IsNaN(_histogram.MaximumMs));
    }

    [Theory]
    [InlineData(0.001)]
    [InlineData(0.063)]
    [InlineData(0.064)]
    [InlineData(0.065)]
    [InlineData(0.127)]
    [InlineData(0.128)]
    [InlineData(1)]
    [InlineData(39.5)]
    [InlineData(1000)]
    [InlineData(3_600_000)]
    public void PercentileMs_SmallerOfTwo_IsWithinABucket(double ms)
    {
        _histogram.Add(ms);
        _histogram.Add(60_000_000);

        Assert.InRange(_histogram.PercentileMs(0.5), ms * 0.9999, ms * 1.033);
    }

    [Fact]
    public void MeanMs_Values_IsTheirsWithinABucket()
    {
        Assert.True(double.IsNaN(_histogram.MeanMs));
        _histogram.Add(0.003, 3);
        Assert.Equal(0.003, _histogram.MeanMs, 9);
        _histogram.Add(10, 3);

        Assert.InRange(_histogram.MeanMs, 5.0015 * 0.984, 5.0015 * 1.016);
    }

    [Fact]
    public void PercentileMs_Uniform_IsTheRank()
    {
        for (var i = 1; i <= 10_000; i++)
            _histogram.Add(i / 10.0);

        Assert.Equal(10_000, _histogram.Count);
        Assert.InRange(_histogram.PercentileMs(0.5), 500, 517);
        Assert.InRange(_histogram.PercentileMs(0.99), 990, 1000);
        Assert.Equal(1000, _histogram.PercentileMs(1), 6);
        Assert.Equal(1000, _histogram.MaximumMs, 6);
    }

    [Fact]
    public void Add_OutsideTheRange_IsKeptAtItsEnds()
    {
        _histogram.Add(-5);
        _histogram.Add(double.MaxValue);

        Assert.Equal(2, _histogram.Count);
        Assert.Equal(0, _histogram.PercentileMs(0.5));
    }

    [Fact]
    public void Add_ManyThreads_LosesNothing()
    {
        Parallel.For(0, 100_000, i => _histogram.Add(i % 100));

        Assert.Equal(100_000, _histogram.Count);
        Assert.Equal(99, _histogram.MaximumMs, 6);
    }

    [Fact]
    public void Clear_Filled_IsEmpty()
    {
        _histogram.Add(5);

        _histogram.Clear();

        Assert.Equal(0, _histogram.Count);
        Assert.True(double.IsNaN(_histogram.PercentileMs(0.99)));
    }
}
