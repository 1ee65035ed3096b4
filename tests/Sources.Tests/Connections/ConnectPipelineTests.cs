using Gateway.Sources.Connections;

namespace Gateway.Sources.Tests.Connections;

public sealed class ConnectPipelineTests
{
    [Fact]
    public void Spread_Hint_NotBeforeItAndNotAllAtOnce()
    {
        var delays = Enumerable.Range(0, 50)
            .Select(_ => ConnectPipeline.Spread(TimeSpan.FromSeconds(10)) ?? default).ToArray();
        Assert.All(delays, delay => Assert.InRange(delay.TotalSeconds, 10, 12));
        Assert.True(delays.Distinct().Count() > 1);
    }

    [Fact]
    public void Spread_HintTooLong_Bounded() =>
        Assert.InRange(ConnectPipeline.Spread(TimeSpan.FromDays(1))!.Value.TotalMinutes, 5, 6);

    [Fact]
    public void Spread_NoHint_ThePipelinesOwn() => Assert.Null(ConnectPipeline.Spread(null));
}
