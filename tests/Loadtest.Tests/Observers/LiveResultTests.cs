using System.Text.Json;
using Gateway.Loadtest.Observers;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Tests.Observers;

public sealed class LiveResultTests
{
    private static readonly LiveResult Result = new()
    {
        Sessions = 3,
        SessionsLost = 0,
        SilentAtEnd = 0,
        Faults = new LiveFaults(0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
        Seconds = [new LiveSecond(3, 1, 2, 3), new LiveSecond(0, double.NaN, double.NaN, double.NaN)],
        Total = new LiveSecond(3, 1, 2, 3),
        Newcomers =
        [
            new Newcomer(0.5, 100, 1, string.Empty),
            new Newcomer(1, 300, 2, "BadTcpServerTooBusy: RetryAfterMs=n"),
        ],
    };

    [Fact]
    public void Json_ThereAndBack_KeepsNotANumber()
    {
        var text = JsonSerializer.Serialize(Result, LiveJson.Options);

        var back = JsonSerializer.Deserialize<LiveResult>(text, LiveJson.Options)!;

        Assert.DoesNotContain('\n', text);
        Assert.True(double.IsNaN(back.Seconds[1].P99Ms));
        Assert.Equal(Result.Newcomers, back.Newcomers);
        Assert.Equal(Result.Faults, back.Faults);
    }

    [Fact]
    public void AddTo_NothingWrong_NoFailureAndWorstSecond()
    {
        var report = new Report("storm", new RunOptions());

        Result.AddTo(report);

        Assert.Empty(report.Failures);
        Assert.Equal(2, ValueOf(report, "live lateness p99, worst second"));
        Assert.Equal(300, ValueOf(report, "newcomers' time to active max"));
        Assert.Equal(1, ValueOf(report, "newcomers' attempts that failed"));
    }

    [Fact]
    public void AddTo_LostAndNeverActive_Fails()
    {
        var report = new Report("storm", new RunOptions());

        (Result with { SessionsLost = 1, Newcomers = [new Newcomer(0, double.NaN, 4, "x")] }).AddTo(report);

        Assert.Equal(2, report.Failures.Count);
    }

    private static double ValueOf(Report report, string name) =>
        report.Rows.First(row => row.Name == name).Values.Values.First();
}
