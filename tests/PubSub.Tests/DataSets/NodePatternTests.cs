using Gateway.PubSub.DataSets;

namespace Gateway.PubSub.Tests.DataSets;

public sealed class NodePatternTests
{
    [Theory]
    [InlineData("ns=2;s=a", 0, false)]
    [InlineData("nsu=urn:plant;s=a", 0, false)]
    [InlineData("ns=2;s=a/*", 1, false)]
    [InlineData("ns=2;s=a/**", int.MaxValue, false)]
    [InlineData("/Objects/2:Plant", 0, true)]
    [InlineData("/Objects/2:Plant/*", 1, true)]
    [InlineData("/Objects/2:Plant/**", int.MaxValue, true)]
    public void Parse_Pattern_ItsParts(string text, int depth, bool isPath)
    {
        var pattern = NodePattern.Parse(text);

        Assert.NotNull(pattern);
        Assert.Equal((text, depth, isPath), (pattern.Text, pattern.Depth, pattern.Path is not null));
    }

    [Theory]
    [InlineData("")]
    [InlineData("/*")]
    [InlineData("/**")]
    [InlineData("Plant")]
    [InlineData("ns=99999;s=a")]
    [InlineData("svr=1;ns=2;s=a")]
    public void Parse_NeitherIdNorPath_Null(string text) => Assert.Null(NodePattern.Parse(text));

    [Fact]
    public void Parse_LongText_Null() => Assert.Null(NodePattern.Parse("ns=2;s=" + new string('a', 5_000)));
}
