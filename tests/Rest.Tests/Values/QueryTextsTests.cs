using Gateway.Rest.Values;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;

namespace Gateway.Rest.Tests.Values;

public sealed class QueryTextsTests
{
    /// <summary>The same as the framework reads, whatever is escaped.</summary>
    [Theory]
    [InlineData("?node=ns%3D2%3Bs%3DInt16")]
    [InlineData("?node=ns=2;s=Int16&node=i%3d85&maxAge=5")]
    [InlineData("?NODE=a+b&n%6Fde=c%20d&node=&node")]
    [InlineData("?node=%C3%BC%E2%82%AC&node=%c3&node=%FF%FE")]
    [InlineData("?node=%&node=%4&node=%zz&node=%u0041&node=100%25%")]
    [InlineData("?node=%00a%7F&node=%80&node=%2500&node=%253D")]
    [InlineData("?node=a&&=b&x=node&nodes=z")]
    [InlineData("?")]
    [InlineData("")]
    public void Of_AnyQuery_AsTheFrameworkReadsIt(string query)
    {
        var request = new DefaultHttpContext().Request;
        request.QueryString = new QueryString(query);

        var known = QueryHelpers.ParseQuery(query).GetValueOrDefault("node");

        Assert.Equal(known.Select(static one => one!), QueryTexts.Of(request, "node"));
    }

    [Fact]
    public void Of_ALongValue_IsWhole()
    {
        var request = new DefaultHttpContext().Request;
        request.QueryString = new QueryString("?node=" + string.Concat(Enumerable.Repeat("%3D", 2_000)));

        Assert.Equal(new string('=', 2_000), Assert.Single(QueryTexts.Of(request, "node")));
    }
}
