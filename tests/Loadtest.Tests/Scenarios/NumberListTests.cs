using Gateway.Loadtest.Scenarios;

namespace Gateway.Loadtest.Tests.Scenarios;

public sealed class NumberListTests
{
    [Fact]
    public void TryParse_NumbersWithCommas_InOrder() =>
        Assert.Equal<int[]?>([1, 20, 3], NumberList.TryParse("1, 20,3", 1, 20));

    [Theory]
    [InlineData("")]
    [InlineData("1,x")]
    [InlineData("0")]
    [InlineData("21")]
    public void TryParse_Other_IsNone(string text) => Assert.Null(NumberList.TryParse(text, 1, 20));
}
