using Gateway.Loadtest.Checks;

namespace Gateway.Loadtest.Tests.Checks;

public sealed class CycleClockTests
{
    private const double Interval = 1000;

    private CycleClock _clock;

    [Fact]
    public void Measure_OnTheGrid_IsNotLate()
    {
        Settle(500, 1500);

        Assert.Equal(0, Measure(7500), 6);
    }

    [Fact]
    public void Measure_AfterTheCycle_IsLateByThat()
    {
        Settle(500, 1500);

        Assert.Equal(40, Measure(2540), 6);
        Assert.Equal(700, Measure(4200), 6);
    }

    [Fact]
    public void Settle_FirstMessageLate_TheEarliestMakesTheGrid()
    {
        Settle(560, 1500, 2530);

        Assert.Equal(10, Measure(3510), 6);
    }

    [Fact]
    public void Measure_ALittleEarly_BelongsToTheComingCycle()
    {
        Settle(500, 1500);

        Assert.Equal(-5, Measure(2495), 6);
    }

    [Fact]
    public void Measure_CyclesWithoutData_ChangeNothing()
    {
        Settle(500);

        Assert.Equal(3, Measure(90_503), 6);
    }

    [Fact]
    public void Measure_NothingSettled_LearnsInstead()
    {
        Assert.True(double.IsNaN(Measure(500)));
        Assert.Equal(20, Measure(1520), 6);
    }

    [Fact]
    public void DriftMs_GridWanders_IsTheShiftOfTheLeastLate()
    {
        Settle(500);
        _clock.Measure(1502, Interval, MeasurePart.First);
        _clock.Measure(2590, Interval, MeasurePart.First);
        _clock.Measure(3600, Interval, MeasurePart.Middle);
        _clock.Measure(4532, Interval, MeasurePart.Last);

        Assert.Equal(30, _clock.DriftMs, 6);
    }

    [Fact]
    public void DriftMs_NoMessageInTheLastPart_IsNotKnown()
    {
        Settle(500);
        _clock.Measure(1502, Interval, MeasurePart.First);

        Assert.True(double.IsNaN(_clock.DriftMs));
    }

    private double Measure(double nowMs) => _clock.Measure(nowMs, Interval, MeasurePart.Middle);

    private void Settle(params double[] times)
    {
        foreach (var time in times)
            _clock.Settle(time, Interval);
    }

    [Theory]
    [InlineData(5, 900, 5)]
    [InlineData(5, 1004, 5)]
    [InlineData(5, 1400, 1005)]
    [InlineData(200, 2900, 2200)]
    public void Unwrap_AgeOfOldestValue_CountsMissedCycles(double late, double oldest, double expected) =>
        Assert.Equal(expected, CycleClock.Unwrap(late, oldest, 1000));
}
