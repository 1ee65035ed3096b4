using Gateway.Codec.Types;
using Gateway.Rest.Streams;
using Gateway.Testing;

namespace Gateway.Rest.Tests.Streams;

/// <summary>A stream that loses events all the time must not refresh all the time.</summary>
public sealed class RefreshPaceTests
{
    private readonly ManualTimeProvider _time = new();
    private StatusCode _answer = StatusCode.Good;
    private int _refreshes;

    [Fact]
    public void Demand_AllTheTime_PausesGrowToAMinute()
    {
        var pace = Make();
        var at = new List<int>();
        for (var second = 0; second < 300; second++)
        {
            var before = _refreshes;
            Assert.True(pace.Demand());
            if (_refreshes > before)
                at.Add(second);
            _time.Advance(1000);
        }

        // The first at once, and the last pauses have a minute.
        Assert.Equal([0, 1, 3, 7, 15, 31, 63, 123, 183, 243], at);
    }

    [Fact]
    public void Demand_WithinThePause_TheSweepBeginsIt()
    {
        var pace = Make();
        pace.Demand();
        pace.Demand();
        pace.TryGoOn();
        Assert.Equal(1, _refreshes);
        _time.Advance(2000);
        pace.TryGoOn();
        pace.TryGoOn();
        Assert.Equal(2, _refreshes);
    }

    [Fact]
    public void Demand_AfterACalmTime_AtOnceAndShortAgain()
    {
        var pace = Make();
        for (var i = 0; i < 5; i++)
        {
            pace.Demand();
            _time.Advance(60_000);
        }

        _time.Advance(300_000);
        pace.Demand();
        Assert.Equal(6, _refreshes);
        _time.Advance(1_000);
        pace.Demand();
        Assert.Equal(7, _refreshes);
    }

    [Theory]
    [InlineData(StatusCodes.BadResourceUnavailable)]
    [InlineData(StatusCodes.BadRefreshInProgress)]
    public void Demand_NoRoomNow_IsTriedAgain(uint answer)
    {
        var pace = Make();
        _answer = answer;
        Assert.True(pace.Demand());
        _answer = StatusCode.Good;
        pace.TryGoOn();
        pace.TryGoOn();
        Assert.Equal(2, _refreshes);
    }

    /// <summary>The client has to be told, unless the stream is closed.</summary>
    [Theory]
    [InlineData(StatusCodes.BadNothingToDo, false)]
    [InlineData(StatusCodes.BadSubscriptionIdInvalid, true)]
    public void Demand_NoRefreshIsPossible_IsTold(uint answer, bool isQuiet)
    {
        _answer = answer;
        Assert.Equal(isQuiet, Make().Demand());
    }

    private RefreshPace Make() => new(
        () =>
        {
            _refreshes++;
            return _answer;
        },
        _time);
}
