using Gateway.Codec.Types;
using Gateway.Events.Tests.Support;

namespace Gateway.Events.Tests.Conditions;

/// <summary>Each condition of an upstream that goes away, or cannot say what still is, is told once more, in slices.
/// </summary>
public sealed class MirrorTellingTests
{
    [Fact]
    public void TellAway_InSlices_EachOnceWithItsEventIdAndGoodAgainAfterTheRefresh()
    {
        using var bench = new MirrorBench();
        for (byte i = 0; i < 5; i++)
            bench.Take(bench.Make($"a{i}", i));
        bench.Take(bench.Make("idle", 9, retain: false));
        bench.Told();
        Assert.True(bench.Mirror.TellAway(3));
        Assert.False(bench.Mirror.TellAway(3));
        Assert.False(bench.Mirror.TellAway(3));
        var told = bench.Told();
        Assert.Equal([0, 1, 2, 3, 4], told.Select(static one => (int)one[0].AsByteString()![0]).Order());
        Assert.All(told, static one => Assert.Equal(StatusCodes.BadNoCommunication, one[4].AsStatusCode().Code));
        Assert.All(
            bench.Conditions.Read(retainedOnly: true),
            static one => Assert.Equal(StatusCodes.BadNoCommunication, one.Quality.Code));
        bench.Take(bench.Make("a0", 0));
        Assert.Equal(StatusCodes.Good, bench.Told().Single()[4].AsStatusCode().Code);
    }

    [Fact]
    public void TellAway_Many_LooksAtEachOnceAndAtTheHeadOfASliceAgain()
    {
        const int Count = 1000, Slice = 10;
        using var bench = new MirrorBench(maxConditions: Count);
        for (var i = 0; i < Count; i++)
            bench.Take(bench.Make($"a{i}", (byte)i));
        var slices = 1;
        while (bench.Mirror.TellAway(Slice))
            slices++;
        Assert.Equal(Count / Slice, slices);
        Assert.Equal(Count + slices - 1, bench.Mirror.Looked);
    }

    [Fact]
    public void TellAway_AnEventBetweenTwoSlices_IsToldOnceMore()
    {
        using var bench = new MirrorBench();
        for (byte i = 0; i < 4; i++)
            bench.Take(bench.Make($"a{i}", i));
        Assert.True(bench.Mirror.TellAway(2));
        var told = bench.Told().Last()[0].AsByteString()![0];
        bench.Take(bench.Make($"a{told}", 9));
        Assert.False(bench.Mirror.TellAway(10));
        Assert.All(
            bench.Conditions.Read(retainedOnly: true),
            static one => Assert.Equal(StatusCodes.BadNoCommunication, one.Quality.Code));
    }

    /// <summary>The upstream came back, or was taken out of the configuration, before all were told.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void TellAway_GivenUp_KeepsNothingOfThem(bool isBack)
    {
        using var bench = new MirrorBench();
        for (byte i = 0; i < 4; i++)
            bench.Take(bench.Make($"a{i}", i));
        Assert.True(bench.Mirror.TellAway(2));
        Assert.Equal(2, bench.Mirror.Untold);
        if (isBack)
            bench.Mirror.BeginRefresh();
        else
            bench.Mirror.Dispose();
        Assert.Equal(0, bench.Mirror.Untold);
    }

    /// <summary>A controller that was restarted in mid-alarm: a client's refresh waits for a few of them, not for all.
    /// </summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void End_Many_IsToldInSlices(bool isRefreshed)
    {
        const int Many = 500;
        using var bench = new MirrorBench(maxConditions: Many);
        for (var i = 0; i < Many; i++)
            bench.Take(bench.Make($"a{i}", (byte)i));
        bench.Told();
        if (isRefreshed)
        {
            bench.Mirror.BeginRefresh();
            bench.Take(bench.Make("a7", 7));
            Assert.Equal(Many - 1, bench.Mirror.EndRefresh());
        }
        else
        {
            bench.Mirror.Dispose();
        }

        Assert.InRange(bench.Mirror.MostAtOnce, 1, 64);
        var told = bench.Told();
        Assert.Equal(isRefreshed ? Many - 1 : Many, told.Count(static one => !one[3].AsBoolean()));
        Assert.Equal(isRefreshed ? ["a7 7"] : [], bench.Retained());
    }

    /// <summary>The upstream cannot refresh: those it has told of since are as they are, the others nobody knows.
    /// </summary>
    [Fact]
    public void TellUncertain_InSlices_EachOnceThatIsNotToldOfSince()
    {
        using var bench = new MirrorBench();
        for (byte i = 0; i < 4; i++)
            bench.Take(bench.Make($"a{i}", i));
        Assert.False(bench.Mirror.TellAway(10));
        bench.Mirror.BeginRefresh();
        bench.Take(bench.Make("a3", 7));
        bench.Told();
        Assert.True(bench.Mirror.TellUncertain(2));
        Assert.False(bench.Mirror.TellUncertain(2));
        Assert.False(bench.Mirror.TellUncertain(2));
        var told = bench.Told();
        Assert.Equal([0, 1, 2], told.Select(static one => (int)one[0].AsByteString()![0]).Order());
        Assert.All(told, static one => Assert.Equal(StatusCodes.Uncertain, one[4].AsStatusCode().Code));
        Assert.All(told, static one => Assert.True(one[3].AsBoolean()));
        bench.Take(bench.Make("a0", 8));
        Assert.Equal(StatusCodes.Good, bench.Told().Single()[4].AsStatusCode().Code);
    }
}
