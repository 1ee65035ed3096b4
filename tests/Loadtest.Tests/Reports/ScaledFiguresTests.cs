using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Tests.Reports;

public sealed class ScaledFiguresTests
{
    [Fact]
    public void Add_Figure_StandsWithTheMachinesSpeedAndAsOnTheMachineOfTheBudgets()
    {
        var figures = new ScaledFigures("speed", 2_763.0 / 2);
        figures.Add("ready", 1.46, "s");
        figures.Add("CPU", double.NaN, "ms");

        Assert.Equal(["ready", "1.46 s", "1,382", "0.73 s"], figures.Table.Rows[0]);
        Assert.Equal(["CPU", "n/a", "1,382", "n/a"], figures.Table.Rows[1]);
        Assert.Equal("at 2,763 signatures", figures.Table.Columns[^1]);
    }
}
