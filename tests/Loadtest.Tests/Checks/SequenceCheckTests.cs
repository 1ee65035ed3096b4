using Gateway.Loadtest.Checks;

namespace Gateway.Loadtest.Tests.Checks;

public sealed class SequenceCheckTests
{
    [Theory]
    [InlineData(0, 0, new uint[] { 1, 2, 3 })]
    [InlineData(1, 0, new uint[] { 2, 3 })]
    [InlineData(1, 0, new uint[] { 1, 3, 4 })]
    [InlineData(0, 1, new uint[] { 1, 2, 2, 3 })]
    [InlineData(1, 1, new uint[] { 1, 3, 2, 4 })]
    public void Add_Numbers_FindsGapsAndRepeats(long gaps, long repeats, uint[] numbers)
    {
        var check = default(SequenceCheck);

        foreach (var number in numbers)
            check.Add(number);

        Assert.Equal(gaps, check.Gaps);
        Assert.Equal(repeats, check.Repeats);
    }

    [Fact]
    public void Add_AfterTheLargest_OneFollows()
    {
        var check = default(SequenceCheck);
        check.Add(uint.MaxValue - 1);
        check.Add(uint.MaxValue);
        var (gaps, repeats) = (check.Gaps, check.Repeats);

        check.Add(1);

        Assert.Equal(gaps, check.Gaps);
        Assert.Equal(repeats, check.Repeats);
    }
}
