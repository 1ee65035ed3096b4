using Gateway.Loadtest.Scenarios.Compare;

namespace Gateway.Loadtest.Tests.Scenarios.Compare;

public sealed class ComparisonTests
{
    [Theory]
    [InlineData("server CPU a Read", "µs", 10, 60, "Better")]
    [InlineData("server CPU a Read", "µs", 60, 10, "Worse")]
    [InlineData("reads a second", "/s", 90_000, 16_000, "Better")]
    [InlineData("reads a second", "/s", 16_000, 90_000, "Worse")]
    [InlineData("reads a second", "/s", 100, 97, "Same")]
    [InlineData("server allocated", "MB/s", 5, 1, "Worse")]
    [InlineData("driver CPU a Read", "µs", 60, 10, "None")]
    [InlineData("server context switches", "/s", 15_000, 40, "Worse")]
    [InlineData("notifications a second", "/s", 90, 20, "None")]
    [InlineData("sessions", "", 60, 10, "None")]
    [InlineData("server memory", "MiB", double.NaN, 10, "None")]
    [InlineData("server memory", "MiB", 0, 10, "Better")]
    [InlineData("server CPU a message", "µs", -85, 580, "None")]
    [InlineData("changes asked for, each way", "/s", 500, 500, "None")]
    [InlineData("server memory", "MiB", 0, 0, "Same")]
    public void Verdict_ByUnitAndName_SaysWhoIsAhead(
        string name, string unit, double ours, double theirs, string verdict) =>
        Assert.Equal(verdict, new Comparison(name, unit, ours, theirs).Verdict.ToString());
}
