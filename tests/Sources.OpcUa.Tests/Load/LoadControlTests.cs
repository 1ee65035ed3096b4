using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Load;
using Gateway.Testing;

namespace Gateway.Sources.OpcUa.Tests.Load;

/// <summary>Less for an upstream that slows down, slowly more for one that recovers.</summary>
public sealed class LoadControlTests
{
    private static readonly RequestShape Read = new(RequestClass.Read, 100, 100, IsTimed: true);

    private readonly ManualTimeProvider _time = new();
    private readonly LoadControl _control;

    public LoadControlTests() => _control = new LoadControl(_time, 10);

    [Fact]
    public void Answered_SlowerAndSlower_LessBeforeItFallsOver()
    {
        Answer(20, count: 10);
        Assert.False(_control.IsReduced);

        // No request has failed yet.
        Answer(200, count: 2);
        Assert.Equal((7, LoadCause.Slow), (_control.Concurrency, _control.LastCause));
        Assert.Equal(0.7, _control.Pace, 3);
        _time.Advance(1_000);
        Answer(400, count: 2);

        Assert.Equal(4, _control.Concurrency);
        Assert.Equal(0.49, _control.Pace, 3);
        Assert.Equal(2, _control.CutsFor(LoadCause.Slow));
    }

    /// <summary>A large answer among small ones, a slow controller that was always so, a fast one with a pause.
    /// </summary>
    [Theory]
    [InlineData(20, 200, 1)]
    [InlineData(900, 3_000, 5)]
    [InlineData(1, 45, 5)]
    public void Answered_NoSignOfLoad_All(double usualMs, double thenMs, int count)
    {
        Answer(usualMs, 10);

        Answer(thenMs, count);

        Assert.False(_control.IsReduced);
    }

    [Fact]
    public void Answered_LargerRequestsTakeLonger_EachSizeForItself()
    {
        Answer(2, 10, Read with { Operations = 1 });

        Answer(300, 10, Read with { Operations = 1_000 });

        Assert.False(_control.IsReduced);
    }

    /// <summary>How long a method runs or how much a browse brings is not the load's doing.</summary>
    [Fact]
    public void Answered_KindsWithoutAUsualTime_SayNothing()
    {
        var call = new RequestShape(RequestClass.Act, 0, 1, IsTimed: false);
        Answer(2, 10, call);

        Answer(5_000, 10, call);

        Assert.False(_control.IsReduced);
    }

    [Theory]
    [InlineData(StatusCodes.BadTimeout, LoadCause.Timeout)]
    [InlineData(StatusCodes.BadRequestTimeout, LoadCause.Timeout)]
    [InlineData(StatusCodes.BadTooManyOperations, LoadCause.Refused)]
    [InlineData(StatusCodes.BadTooManyPublishRequests, LoadCause.Refused)]
    [InlineData(StatusCodes.BadServerTooBusy, LoadCause.Refused)]
    [InlineData(StatusCodes.BadTcpServerTooBusy, LoadCause.Refused)]
    [InlineData(StatusCodes.BadOutOfMemory, LoadCause.Refused)]
    public void Failed_ASignOfLoad_Half(uint status, LoadCause cause)
    {
        Assert.True(_control.Failed(Read, status, _time.GetTimestamp()));

        Assert.Equal((5, 0.5, cause), (_control.Concurrency, _control.Pace, _control.LastCause));
    }

    [Theory]
    [InlineData(StatusCodes.BadNodeIdUnknown)]
    [InlineData(StatusCodes.BadUserAccessDenied)]
    [InlineData(StatusCodes.BadConnectionClosed)]
    public void Failed_ForAnotherReason_NoSign(uint status) =>
        Assert.False(_control.Failed(Read, status, _time.GetTimestamp()) || _control.IsReduced);

    /// <summary>One user's method that hangs is no reason to ask for less on behalf of all.</summary>
    [Fact]
    public void Failed_AMethodTimesOut_NoSign()
    {
        var call = new RequestShape(RequestClass.Act, 0, 1, IsTimed: false);

        Assert.False(_control.Failed(call, StatusCodes.BadTimeout, _time.GetTimestamp()));
        Assert.True(_control.Failed(call, StatusCodes.BadServerTooBusy, _time.GetTimestamp()));
    }

    /// <summary>Ten that time out together are one sign, also if it has got more meanwhile.</summary>
    [Fact]
    public void Failed_RequestsOfBeforeTheLastCut_CountAsOne()
    {
        var sentAt = _time.GetTimestamp();
        _time.Advance(10_000);
        for (var i = 0; i < 10; i++)
            _control.Failed(Read, StatusCodes.BadTimeout, sentAt);
        Answer(2, 1);
        _time.Advance(2_000);
        Answer(2, 1);
        Assert.Equal(0.55, _control.Pace, 3);

        _control.Failed(Read, StatusCodes.BadTimeout, sentAt);
        Assert.Equal(1, _control.CutsFor(LoadCause.Timeout));
        // One that was sent since says that it was not enough.
        var again = _time.GetTimestamp();
        _time.Advance(10_000);
        _control.Failed(Read, StatusCodes.BadTimeout, again);

        Assert.Equal((2, 2L), (_control.Concurrency, _control.CutsFor(LoadCause.Timeout)));
    }

    [Fact]
    public void Failed_AgainAndAgain_NeverNothing()
    {
        for (var i = 0; i < 20; i++)
        {
            _time.Advance(1);
            _control.Failed(Read, StatusCodes.BadServerTooBusy, _time.GetTimestamp());
        }

        Assert.Equal((1, 0.05), (_control.Concurrency, _control.Pace));
    }

    /// <summary>A reload of the configuration takes no measure back, and no counter.</summary>
    [Fact]
    public void Fit_AnotherBudget_KeepsTheShareAndTheCounters()
    {
        _control.Failed(Read, StatusCodes.BadServerTooBusy, _time.GetTimestamp());

        _control.Fit(20);

        Assert.Equal((10, 0.5, 1L), (_control.Concurrency, _control.Pace, _control.CutsFor(LoadCause.Refused)));
        Assert.True(_control.IsReduced);
        _control.Fit(1);
        Assert.Equal(1, _control.Concurrency);
    }

    [Fact]
    public void Answered_AsUsualAgain_SlowlyMoreAndNeverAboveTheBudget()
    {
        _control.Failed(Read, StatusCodes.BadServerTooBusy, _time.GetTimestamp());
        Answer(10, 100);
        Assert.Equal(0.5, _control.Pace, 3);

        List<double> paces = [];
        for (var i = 0; i < 15; i++)
        {
            _time.Advance(2_000);
            Answer(10, 3);
            paces.Add(Math.Round(_control.Pace, 2));
        }

        Assert.Equal([0.55, 0.6, 0.65], paces[..3]);
        Assert.Equal(1, paces[^1]);
        Assert.Equal(10, _control.Concurrency);
        Assert.False(_control.IsReduced);
    }

    /// <summary>In a moment: no time passes but that of the answer.</summary>
    private void Answer(double tookMs, int count, RequestShape? shape = null)
    {
        for (var i = 0; i < count; i++)
            _control.Answered(shape ?? Read, _time.GetTimestamp() - TimeSpan.FromMilliseconds(tookMs).Ticks);
    }
}
