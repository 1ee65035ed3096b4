using Gateway.Sources.Upstreams;

namespace Gateway.Sources.Tests.Upstreams;

public sealed class RequestLatencyTests
{
    [Fact]
    public void Read_NothingAnswered_IsNotKnown() => Assert.Null(new RequestLatency().Read());

    [Fact]
    public void Read_SomeAnswers_LastMeanAndWorst()
    {
        var latency = new RequestLatency();
        foreach (var ms in (int[])[2, 9, 4])
            latency.Add(TimeSpan.FromMilliseconds(ms));

        Assert.Equal(new LatencyReport(Ms(4), Ms(5), Ms(9), 3), latency.Read());
    }

    /// <summary>A slow morning is no news in the evening.</summary>
    [Fact]
    public void Read_ManyAnswers_TheLatestAlone()
    {
        var latency = new RequestLatency();
        latency.Add(Ms(5_000));
        for (var i = 0; i < RequestLatency.Kept; i++)
            latency.Add(Ms(3));

        Assert.Equal(new LatencyReport(Ms(3), Ms(3), Ms(3), RequestLatency.Kept), latency.Read());
    }

    private static TimeSpan Ms(int ms) => TimeSpan.FromMilliseconds(ms);
}
