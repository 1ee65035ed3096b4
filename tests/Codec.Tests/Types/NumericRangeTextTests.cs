using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Types;

public sealed class NumericRangeTextTests
{
    [Theory]
    [InlineData("0")]
    [InlineData("6")]
    [InlineData("5:7")]
    [InlineData("1:2,0:1")]
    [InlineData("1,1,3:4")]
    [InlineData("0:2147483647")]
    public void TryParse_Range_RoundTrips(string text)
    {
        Assert.True(NumericRangeText.TryParse(text, out var range));
        Assert.False(range.IsEmpty);
        Assert.Equal(text, range.ToString());
    }

    [Theory]
    [InlineData("-1")]
    [InlineData("1:")]
    [InlineData(":1")]
    [InlineData("1:1")]
    [InlineData("2:1")]
    [InlineData("1:2:3")]
    [InlineData("1,")]
    [InlineData(",1")]
    [InlineData("1, 2")]
    [InlineData(" 1")]
    [InlineData("a")]
    [InlineData("99999999999")]
    public void TryParse_NotARange_IsFalse(string text) => Assert.False(NumericRangeText.TryParse(text, out _));

    [Fact]
    public void TryParse_NullOrEmpty_IsEverything()
    {
        Assert.True(NumericRangeText.TryParse(null, out var range));
        Assert.True(range.IsEmpty);
        Assert.Equal(0, range.Count);
        Assert.Equal("", range.ToString());
    }

    [Fact]
    public void TryParse_MoreDimensionsThanAnyValueHas_IsFalse() =>
        Assert.False(NumericRangeText.TryParse(string.Join(',', Enumerable.Repeat("1", 33)), out _));
}
