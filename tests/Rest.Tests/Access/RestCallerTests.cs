using Gateway.Rest.Access;

namespace Gateway.Rest.Tests.Access;

/// <summary>The locales of Accept-Language. Source: Part 6 §7.4.2.</summary>
public sealed class RestCallerTests
{
    [Theory]
    [InlineData("de", "de")]
    [InlineData("en;q=0.1, de", "de en")]
    [InlineData("de-CH, de;q=0.9, *;q=0.5", "de-CH de")]
    [InlineData("fr;q=0, en", "en")]
    public void LocalesOf_Header_BestFirst(string header, string locales) =>
        Assert.Equal(locales.Split(' '), RestCaller.LocalesOf(header));

    [Theory]
    [InlineData("")]
    [InlineData("en;;q=x,,=")]
    public void LocalesOf_NoneOrMalformed_Null(string header) => Assert.Null(RestCaller.LocalesOf(header));
}
