using Gateway.Loadtest.Attacks.Memory;

namespace Gateway.Loadtest.Tests.Attacks;

public sealed class MemoryWatchTests
{
    /// <summary>What the small attacks would hold if their budget did not act must be over their bound: never-read has
    /// 896 MB of answers under way, half-messages 300 MB, decode-bomb makes 448 MB of values.</summary>
    [Theory]
    [InlineData(64, 896)]
    [InlineData(64, 300)]
    [InlineData(136, 448)]
    public void MostMiB_SmallSize_IsBelowWhatAnAttackHoldsWithoutABudget(double promisedMiB, double withoutMegabytes) =>
        Assert.InRange(
            MemoryWatch.MostMiB(isFull: false, promisedMiB), promisedMiB * 1.2, withoutMegabytes * 1e6 / 1024 / 1024);

    [Fact]
    public void MostMiB_FullSize_IsTheRules() => Assert.Equal(614.4, MemoryWatch.MostMiB(isFull: true, 512), 6);
}
