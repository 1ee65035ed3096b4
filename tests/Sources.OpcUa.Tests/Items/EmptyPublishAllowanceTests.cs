using Gateway.Sources.OpcUa.Items;
using Gateway.Testing;

namespace Gateway.Sources.OpcUa.Tests.Items;

/// <summary>R42: answers to Publish that bring nothing new.</summary>
public sealed class EmptyPublishAllowanceTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public void TryTake_AllAtOnce_OnlyTheLimit()
    {
        var allowance = Of(publishingIntervalMs: 1_000);
        Assert.Equal(100, Taken(allowance, 40_000));

        allowance.Reset(1_000);
        Assert.Equal(100, Taken(allowance, 101));
    }

    [Theory]
    [InlineData(10)]
    [InlineData(100)]
    [InlineData(1_000)]
    [InlineData(60_000)]
    public void TryTake_AKeepAliveEachIntervalAndABurstAfterAStall_AllOfThem(double publishingIntervalMs)
    {
        var allowance = Of(publishingIntervalMs);
        for (var minute = 0; minute < 20; minute++)
        {
            for (var i = 0; i < 1_000; i++)
            {
                _time.Advance(TimeSpan.FromMilliseconds(publishingIntervalMs));
                Assert.True(allowance.TryTake(1));
            }

            Assert.Equal(64, Taken(allowance, 64));
        }
    }

    [Theory]
    [InlineData(double.NaN)]
    [InlineData(0)]
    [InlineData(1e300)]
    public void TryTake_IntervalThatIsNone_StillALimit(double publishingIntervalMs)
    {
        var allowance = Of(publishingIntervalMs);
        Assert.Equal(100, Taken(allowance, 40_000));
    }

    private EmptyPublishAllowance Of(double publishingIntervalMs) =>
        new(new UpstreamLimits { MaxUpstreamEmptyPublishes = 100 }, _time, publishingIntervalMs);

    private static int Taken(EmptyPublishAllowance allowance, int tries)
    {
        var taken = 0;
        while (taken < tries && allowance.TryTake(1))
            taken++;
        return taken;
    }
}
