using Gateway.Loadtest.Checks;

namespace Gateway.Loadtest.Tests.Checks;

public sealed class LatenessSeriesTests
{
    [Fact]
    public void Add_BeforeStart_Forgotten()
    {
        var series = new LatenessSeries();

        series.Add(500, 1);
        series.Start(1000);
        series.Add(999, 1);

        Assert.Empty(series.Seconds());
        Assert.Equal(0, series.All.Count);
    }

    [Fact]
    public void Add_ThirdSecond_SecondsBetweenAreEmpty()
    {
        var series = new LatenessSeries();
        series.Start(1000);

        series.Add(1001, 5);
        series.Add(3999, 7);

        Assert.Equal([1, 0, 1], series.Seconds().Select(second => second.Count));
        Assert.Equal(2, series.All.Count);
        Assert.InRange(series.All.MaximumMs, 7, 7.2);
    }
}
