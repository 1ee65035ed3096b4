using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Tests.Support;

namespace Gateway.Events.Tests.Conditions;

/// <summary>Source: Part 9 §5.8.17 and its tables.</summary>
public sealed class ShelvingTableTests
{
    private const double Minute = 60_000;

    [Theory]
    [InlineData(ShelvingKind.Unshelved, ConditionAct.TimedShelve, StatusCodes.Good, 2932u, 2935u)]
    [InlineData(ShelvingKind.Unshelved, ConditionAct.OneShotShelve, StatusCodes.Good, 2933u, 2936u)]
    [InlineData(ShelvingKind.Unshelved, ConditionAct.Unshelve, StatusCodes.BadConditionNotShelved, 2930u, 0u)]
    [InlineData(
        ShelvingKind.TimedShelved, ConditionAct.TimedShelve, StatusCodes.BadConditionAlreadyShelved, 2932u, 2935u)]
    [InlineData(ShelvingKind.TimedShelved, ConditionAct.OneShotShelve, StatusCodes.Good, 2933u, 2942u)]
    [InlineData(ShelvingKind.TimedShelved, ConditionAct.Unshelve, StatusCodes.Good, 2930u, 2940u)]
    [InlineData(ShelvingKind.OneShotShelved, ConditionAct.TimedShelve, StatusCodes.Good, 2932u, 2945u)]
    [InlineData(
        ShelvingKind.OneShotShelved, ConditionAct.OneShotShelve, StatusCodes.BadConditionAlreadyShelved, 2933u, 2936u)]
    [InlineData(ShelvingKind.OneShotShelved, ConditionAct.Unshelve, StatusCodes.Good, 2930u, 2943u)]
    public void Call_InEachState_MakesTheTransitionOrHasTheCode(
        ShelvingKind from, ConditionAct act, uint code, uint state, uint transition)
    {
        using var bench = new ConditionBench();
        bench.Report(true);
        if (from == ShelvingKind.TimedShelved)
            bench.Call(ConditionAct.TimedShelve, time: Minute);
        else if (from == ShelvingKind.OneShotShelved)
            bench.Call(ConditionAct.OneShotShelve);
        bench.Told();

        Assert.Equal(code, bench.Call(act, time: Minute).Code);

        Assert.Equal(code == StatusCodes.Good ? 1 : 0, bench.Told().Length);
        Assert.Equal(new NodeId(state), bench.Field("ShelvingState/CurrentState/Id").AsNodeId());
        Assert.Equal(state != 2930, bench.Field("SuppressedOrShelved").AsBoolean());
        var last = bench.Field("ShelvingState/LastTransition/Id");
        Assert.Equal(transition == 0 ? Variant.Null : new Variant(new NodeId(transition)), last);
        Assert.Equal(transition == 0, bench.Field("ShelvingState/LastTransition").IsNull);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    [InlineData((24 * 3_600_000.0) + 1)]
    public void TimedShelve_TimeOutOfRange_IsRefused(double time)
    {
        using var bench = new ConditionBench();
        bench.Report(true);
        bench.Told();
        Assert.Equal(StatusCodes.BadShelvingTimeOutOfRange, bench.Call(ConditionAct.TimedShelve, time: time).Code);
        Assert.Empty(bench.Told());
    }

    /// <summary>Without a client.</summary>
    [Fact]
    public void TimedShelve_TimeOver_UnshelvesByItself()
    {
        using var bench = new ConditionBench();
        bench.Report(true);
        bench.Call(ConditionAct.TimedShelve, time: Minute);
        bench.Told();
        bench.Time.Advance(20_000);
        bench.Table.Expire();
        Assert.Empty(bench.Told());
        Assert.Equal(40_000, bench.Field("ShelvingState/UnshelveTime").AsDouble());
        // The wall clock has no part in it.
        bench.Time.MoveWallClock(TimeSpan.FromHours(1));
        bench.Table.Expire();
        Assert.Empty(bench.Told());
        bench.Time.Advance(40_000);
        bench.Table.Expire();
        Assert.Equal(["0 TFTT"], bench.Told());
        Assert.Equal(ShelvingKind.Unshelved, bench.Current.Shelving);
        Assert.Equal(0, bench.Field("ShelvingState/UnshelveTime").AsDouble());
    }

    [Fact]
    public void TimedShelve_InactiveAndActiveAgain_StaysShelved()
    {
        using var bench = new ConditionBench();
        bench.Report(true);
        bench.Call(ConditionAct.TimedShelve, time: Minute);
        bench.Report(false);
        bench.Report(true);
        Assert.Equal(ShelvingKind.TimedShelved, bench.Current.Shelving);
    }

    [Fact]
    public void OneShotShelve_Inactive_Unshelves()
    {
        using var bench = new ConditionBench();
        bench.Report(true);
        bench.Call(ConditionAct.OneShotShelve);
        bench.Told();
        bench.Report(false);
        Assert.Equal(["0 FFTT"], bench.Told());
        Assert.Equal(ShelvingKind.Unshelved, bench.Current.Shelving);
    }

    [Fact]
    public void OneShotShelve_LongestTimeOver_Unshelves()
    {
        using var bench = new ConditionBench(
            limits: new ConditionLimits { MaxConditionShelving = TimeSpan.FromMinutes(1) });
        bench.Report(true);
        bench.Call(ConditionAct.OneShotShelve);
        bench.Time.Advance(60_000);
        bench.Table.Expire();
        Assert.Equal(ShelvingKind.Unshelved, bench.Current.Shelving);
    }

    [Theory]
    [InlineData(ConditionAct.Suppress, ConditionAct.Unsuppress, "SuppressedState")]
    [InlineData(ConditionAct.RemoveFromService, ConditionAct.PlaceInService, "OutOfServiceState")]
    public void Suppress_AndItsLike_AreToldOnce(ConditionAct on, ConditionAct off, string state)
    {
        using var bench = new ConditionBench();
        bench.Report(true);
        bench.Told();
        Assert.Equal(StatusCode.Good, bench.Call(off));
        Assert.Empty(bench.Told());
        Assert.Equal(StatusCode.Good, bench.Call(on, comment: new LocalizedText("maintenance")));
        Assert.Single(bench.Told());
        Assert.True(bench.Field($"{state}/Id").AsBoolean());
        Assert.True(bench.Field("SuppressedOrShelved").AsBoolean());
        Assert.Equal("maintenance", bench.Field("Comment").AsLocalizedText().Text);
        Assert.Equal(StatusCode.Good, bench.Call(on));
        Assert.Empty(bench.Told());
        Assert.Equal(StatusCode.Good, bench.Call(off));
        Assert.Single(bench.Told());
        Assert.False(bench.Field("SuppressedOrShelved").AsBoolean());
    }
}
