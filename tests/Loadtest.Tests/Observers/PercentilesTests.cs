using Gateway.Loadtest.Observers;

namespace Gateway.Loadtest.Tests.Observers;

public sealed class PercentilesTests
{
    [Theory]
    [InlineData(0, 1)]
    [InlineData(0.5, 2)]
    [InlineData(0.51, 3)]
    [InlineData(0.99, 4)]
    [InlineData(1, 4)]
    public void Of_FourValues_NearestRank(double fraction, double expected) =>
        Assert.Equal(expected, Percentiles.Of([1, 2, 3, 4], fraction));

    [Fact]
    public void Of_Nothing_NaN() => Assert.True(double.IsNaN(Percentiles.Of([], 0.5)));
}
