using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Tests.Reports;

public sealed class AxisScaleTests
{
    [Theory]
    [InlineData(1, 0.2, 5)]
    [InlineData(7, 1, 7)]
    [InlineData(10, 2, 5)]
    [InlineData(11, 2, 6)]
    [InlineData(850, 100, 9)]
    [InlineData(10_000, 2000, 5)]
    [InlineData(0.03, 0.005, 6)]
    public void For_Largest_RoundStepsThatHoldIt(double largest, double step, int steps)
    {
        var scale = AxisScale.For(largest);

        Assert.Equal(step, scale.Step, 9);
        Assert.Equal(steps, scale.Steps);
        Assert.True(scale.End >= largest - 1e-9);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    public void For_Nothing_AxisToOne(double largest) => Assert.Equal(1, AxisScale.For(largest).End, 9);
}
