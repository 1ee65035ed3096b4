using Gateway.Loadtest.Scenarios.Soak;

namespace Gateway.Loadtest.Tests.Scenarios.Soak;

public sealed class SoakClockTests
{
    [Theory]
    [InlineData(0.5)]
    [InlineData(5)]
    [InlineData(60)]
    [InlineData(600)]
    public void WarmUp_OfAnyLength_LeavesSamplesEnough(double minutes)
    {
        var clock = new SoakClock(minutes, WarmUpMinutes: 1000);

        Assert.True(clock.Periods - clock.WarmUpPeriods >= Growth.LeastSamples);
        Assert.True(clock.Period <= TimeSpan.FromMinutes(1));
    }
}
