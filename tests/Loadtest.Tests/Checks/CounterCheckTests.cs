using Gateway.Loadtest.Checks;

namespace Gateway.Loadtest.Tests.Checks;

public sealed class CounterCheckTests
{
    private readonly CounterCheck _check = new(2);

    [Fact]
    public void Add_InOrder_NothingFound()
    {
        Add(0, 7, 8, 9);
        Add(1, 100, 101);

        Assert.Equal(5, _check.Values);
        Assert.Equal(0, _check.Gaps + _check.Repeats + _check.Reorders + _check.Unknown + _check.Missing);
        Assert.Equal(0, _check.Silent);
        Assert.Equal(9, _check.LastOf(0));
    }

    [Fact]
    public void Add_Skipped_IsOneGapAndCountsTheMissing()
    {
        Add(0, 7, 11, 12);

        Assert.Equal(1, _check.Gaps);
        Assert.Equal(3, _check.Missing);
    }

    [Fact]
    public void Add_SkippedAndTheOverflowBitSaysSo_IsNoGapWithoutAnExcuse()
    {
        Add(0, 7);
        _check.Add(0, 9, isOverflow: true);
        _check.Add(0, 10, isOverflow: true);

        Assert.Equal((1, 0, 0), (_check.Overflows, _check.Gaps, _check.Missing));
    }

    [Fact]
    public void Add_SkippedInAQueueOfOne_IsReplacedAndTheOtherItemsGapIsNot()
    {
        _check.SetQueueOfOne(1);
        Add(1, 7, 9);
        Add(0, 7, 9);

        Assert.Equal((1, 1), (_check.Replaced, _check.Gaps));
    }

    [Fact]
    public void Add_SameAgain_IsARepeat()
    {
        Add(0, 7, 8, 8, 9);

        Assert.Equal(1, _check.Repeats);
        Assert.Equal(0, _check.Gaps);
    }

    [Fact]
    public void Add_OlderValue_IsReorderedAndTheNextIsNoGap()
    {
        Add(0, 7, 8, 7, 9);

        Assert.Equal(1, _check.Reorders);
        Assert.Equal(0, _check.Gaps);
    }

    [Fact]
    public void Add_SwappedPair_IsAGapAndAReorder()
    {
        Add(0, 7, 9, 8, 10);

        Assert.Equal(1, _check.Gaps);
        Assert.Equal(1, _check.Reorders);
    }

    [Fact]
    public void Add_StartingFromZero_TheZeroCounts()
    {
        Add(0, 0, 2);

        Assert.Equal(1, _check.Gaps);
    }

    [Fact]
    public void Add_UnknownHandleOrNoNumber_IsUnknown()
    {
        _check.Add(2, 1);
        _check.Add(0, double.NaN);
        _check.AddUnknown();

        Assert.Equal(3, _check.Unknown);
        Assert.Equal(0, _check.Values);
        Assert.Equal(2, _check.Silent);
    }

    private void Add(uint handle, params double[] values)
    {
        foreach (var value in values)
            _check.Add(handle, value);
    }
}
