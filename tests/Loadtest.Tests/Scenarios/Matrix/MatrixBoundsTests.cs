using Gateway.Loadtest.Scenarios.Matrix;

namespace Gateway.Loadtest.Tests.Scenarios.Matrix;

public sealed class MatrixBoundsTests
{
    private static readonly CellMeasurement Held = new()
    {
        Cell = new MatrixCell(10, 1, 10),
        Seconds = 20,
        ServerCores = 0.5,
        DriverCores = 0.5,
        ServerMemoryMiB = 200,
        ValuesPerSecond = 99,
        ExpectedPerSecond = 100,
        LatenessP99Ms = 3,
        LatencyP99Ms = 1010,
    };

    private readonly MatrixBounds _bounds = new()
    {
        Cores = 2,
        PublishingIntervalMs = 1000,
        LatenessMs = 50,
        MemoryMiB = 1000,
    };

    [Fact]
    public void Judge_AllWithinBounds_Held() => Assert.Equal(GaveWay.Nothing, _bounds.Judge(Held));

    [Fact]
    public void Judge_NothingKnownOfTheServer_StillJudgesWhatItSends()
    {
        var unknown = Held with { ServerCores = double.NaN, ServerMemoryMiB = double.NaN };

        Assert.Equal(GaveWay.Nothing, _bounds.Judge(unknown));
        Assert.Equal(GaveWay.Loss, _bounds.Judge(unknown with { Losses = "gaps in the counters: 1" }));
    }

    [Fact]
    public void Judge_EachBoundPassed_IsNamed()
    {
        Assert.Equal(GaveWay.Refusal, _bounds.Judge(Held with { Refusal = "Bad_TooManySessions" }));
        Assert.Equal(GaveWay.Memory, _bounds.Judge(Held with { ServerMemoryMiB = 1001 }));
        Assert.Equal(GaveWay.ServerCpu, _bounds.Judge(Held with { ServerCores = 1.5 }));
        Assert.Equal(GaveWay.DriverCpu, _bounds.Judge(Held with { DriverCores = 1.5 }));
        Assert.Equal(GaveWay.Loss, _bounds.Judge(Held with { Losses = "gaps in the counters: 1" }));
        Assert.Equal(GaveWay.Time, _bounds.Judge(Held with { IsOutOfTime = true }));
        Assert.Equal(GaveWay.Lateness, _bounds.Judge(Held with { LatenessP99Ms = 51 }));
        Assert.Equal(GaveWay.Lateness, _bounds.Judge(Held with { LatencyP99Ms = 1051 }));
        Assert.Equal(GaveWay.Starved, _bounds.Judge(Held with { ValuesPerSecond = 80 }));
    }

    [Fact]
    public void Judge_NoCoreLeftAndLate_NamesTheCause() =>
        Assert.Equal(GaveWay.ServerCpu, _bounds.Judge(Held with { ServerCores = 1.4, LatenessP99Ms = 900 }));

    [Fact]
    public void Explain_Refusal_IsTheServersWord()
    {
        var refused = Held with { Refusal = "Bad_TooManyMonitoredItems: …" };

        Assert.Equal(refused.Refusal, MatrixBounds.Explain(_bounds.Judge(refused), refused));
    }

    [Fact]
    public void Explain_RefusedQueuesAndWhatTheyLost_AreBothNamed()
    {
        var refused = Held with { Refusal = "9 queues revised", Losses = "gaps in queues of one entry: 3" };

        Assert.Equal(GaveWay.Refusal, _bounds.Judge(refused));
        Assert.Equal(
            "9 queues revised; gaps in queues of one entry: 3", MatrixBounds.Explain(GaveWay.Refusal, refused));
    }
}
