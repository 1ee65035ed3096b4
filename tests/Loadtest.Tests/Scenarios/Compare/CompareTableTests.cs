using Gateway.Loadtest.Reports;
using Gateway.Loadtest.Scenarios.Compare;

namespace Gateway.Loadtest.Tests.Scenarios.Compare;

public sealed class CompareTableTests
{
    [Fact]
    public void Add_TwoReports_PairsRowsAndMarksTheSlower()
    {
        var ours = new Report("read", new RunOptions());
        ours.Add("server CPU a Read", 70, "µs");
        ours.Add("only ours", 1, "µs");
        ours.Add("sessions", 4);
        var theirs = new Report("read", new RunOptions());
        theirs.Add("server CPU a Read", 60, "µs");
        theirs.Add("sessions", 4);
        var table = new CompareTable();

        table.Add("read", ours, theirs);

        var row = Assert.Single(table.AsReport("Gateway", "peer").Rows);
        Assert.Equal(["read: server CPU a Read", "µs", "60", "70", "1.17", "**slower or larger**"], row);
        Assert.Equal((1, 0), (table.Count(Verdict.Worse), table.Count(Verdict.Better)));
    }

    [Fact]
    public void Add_SeveralColumns_PairsEach()
    {
        var reports = new[] { 2.0, 4.0 }.Select(factor =>
        {
            var report = new Report("notify", new RunOptions());
            foreach (var items in new[] { 1, 100 })
            {
                report.BeginColumn($"{items} items");
                report.Add("server CPU a message", items * factor, "µs");
            }

            return report;
        }).ToArray();
        var table = new CompareTable();

        table.Add("notify", reports[0], reports[1]);

        Assert.Equal(
            ["server CPU a message, 1 items", "server CPU a message, 100 items"],
            table.Comparisons.Select(row => row.Figure.Name));
        Assert.Equal(2, table.Count(Verdict.Better));
    }
}
