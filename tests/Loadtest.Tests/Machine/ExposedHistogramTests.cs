using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Tests.Machine;

public sealed class ExposedHistogramTests
{
    private const string Before =
        """
        # TYPE late_seconds histogram
        late_seconds_bucket{le="0.001"} 10
        late_seconds_bucket{le="0.05"} 10
        late_seconds_bucket{le="+Inf"} 10
        """;

    private const string After =
        """
        late_seconds_bucket{le="0.001"} 100 1700000000
        late_seconds_bucket{le="0.05"} 109
        late_seconds_bucket{le="+Inf"} 110
        late_seconds_sum 3
        other_bucket{le="1"} 5
        """;

    [Theory]
    [InlineData(0.5, 0.001)]
    [InlineData(0.99, 0.05)]
    [InlineData(1, double.PositiveInfinity)]
    public void Percentile_SinceBefore_UpperBound(double fraction, double expected)
    {
        var before = ExposedHistogram.Parse(Before, "late_seconds");
        var after = ExposedHistogram.Parse(After, "late_seconds");

        Assert.Equal(expected, after.Percentile(fraction, before));
    }

    [Fact]
    public void Percentile_NothingExposed_NaN()
    {
        var none = ExposedHistogram.Parse("", "late_seconds");

        Assert.True(double.IsNaN(none.Percentile(0.99, none)));
        Assert.True(double.IsNaN(ExposedHistogram.Parse(Before, "late_seconds").Percentile(
            0.99, ExposedHistogram.Parse(Before, "late_seconds"))));
    }
}
