using Gateway.Loadtest.Scenarios.Storm;

namespace Gateway.Loadtest.Tests.Scenarios.Storm;

public sealed class GoodputTests
{
    [Fact]
    public void Seconds_ArrivalsOfThreeSeconds_LastIsNotFull()
    {
        var goodput = new Goodput([0.1, 0.2, 0.9, 1.5, 2.0, 2.4]);

        Assert.Equal([3, 1, 2], goodput.Seconds);
        Assert.Equal(2, goodput.FullSeconds);
        Assert.Equal(3, goodput.First);
        Assert.Equal(1, goodput.LowestFull);
        Assert.Equal(6 / 2.4, goodput.Mean);
    }

    [Fact]
    public void Seconds_ASecondWithoutArrival_CountsAsZero() =>
        Assert.Equal(0, new Goodput([0.5, 2.5, 3.1]).LowestFull);

    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 1)]
    [InlineData(4, 2)]
    public void CountBelow_Rate_OnlyFullSeconds(double rate, int expected) =>
        Assert.Equal(expected, new Goodput([0.1, 0.2, 0.9, 1.5, 2.0]).CountBelow(rate));

    [Fact]
    public void Mean_NobodyCame_NaN()
    {
        var goodput = new Goodput([]);

        Assert.True(double.IsNaN(goodput.Mean));
        Assert.True(double.IsNaN(goodput.LowestFull));
        Assert.Equal(0, goodput.FullSeconds);
    }
}
