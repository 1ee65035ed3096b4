using Gateway.Events.Values;

namespace Gateway.Events.Tests.Values;

public sealed class LikePatternTests
{
    [Theory]
    [InlineData("Pump 7", "Pump 7", true)]
    [InlineData("Pump 7", "pump 7", false)]
    [InlineData("Pump 7", "Pump%", true)]
    [InlineData("Pump 7", "%7", true)]
    [InlineData("Pump 7", "%um%", true)]
    [InlineData("Pump 7", "%x%", false)]
    [InlineData("Pump 7", "Pump _", true)]
    [InlineData("Pump 7", "Pump__", true)]
    [InlineData("Pump 7", "Pump _ ", false)]
    [InlineData("Pump 7", "Pump [5-8]", true)]
    [InlineData("Pump 7", "Pump [78]", true)]
    [InlineData("Pump 7", "Pump [^78]", false)]
    [InlineData("Pump 7", "Pump [^1-3]", true)]
    [InlineData("a-b", "a[-]b", true)]
    [InlineData("100%", "100\\%", true)]
    [InlineData("1000", "100\\%", false)]
    [InlineData("a_b", "a\\_b", true)]
    [InlineData("a[b", "a[b", true)]
    [InlineData("a\\", "a\\", true)]
    [InlineData("", "", true)]
    [InlineData("", "%", true)]
    [InlineData("", "_", false)]
    [InlineData("aaab", "%a%ab", true)]
    [InlineData("abcabc", "%abc", true)]
    public void Matches_Pattern_AsTheTableSays(string text, string pattern, bool expected) =>
        Assert.Equal(expected, LikePattern.Matches(text, pattern));

    /// <summary>Such patterns take exponential time where each run is taken back.</summary>
    [Fact]
    public void Matches_ManyRuns_StayLinear() => Assert.False(LikePattern.Matches(
        new string('a', 5_000), string.Concat(Enumerable.Repeat("%a", 20)) + "b"));

    [Fact]
    public void Matches_MoreStepsThanTheBound_IsNull()
    {
        Assert.Null(LikePattern.Matches(new string('a', 50_000), "%" + new string('a', 20) + "b"));
        Assert.Null(LikePattern.Matches(new string('a', 50_000), "%" + new string('[', 20_000)));
    }
}
