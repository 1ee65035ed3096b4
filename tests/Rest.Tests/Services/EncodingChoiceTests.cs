using Gateway.Codec.Json;
using Gateway.Rest.Services;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Tests.Services;

/// <summary>Which encoding a request is in, and which its answer gets.</summary>
public sealed class EncodingChoiceTests
{
    [Theory]
    [InlineData("application/json", JsonEncoding.Compact)]
    [InlineData("Application/JSON; charset=UTF-8", JsonEncoding.Compact)]
    [InlineData("application/json; encoding=Verbose", JsonEncoding.Verbose)]
    [InlineData("application/json;encoding=\"reversible\"", JsonEncoding.Reversible)]
    [InlineData("application/json; charset=utf-8; ENCODING=nonreversible", JsonEncoding.NonReversible)]
    [InlineData("application/json; encoding=1", null)]
    [InlineData("application/json; encoding=", null)]
    [InlineData("application/json; charset=\"UTF-8\"", JsonEncoding.Compact)]
    [InlineData("application/json; charset=utf-16", null)]
    [InlineData("application/xml", null)]
    [InlineData("nonsense", null)]
    [InlineData("", null)]
    [InlineData(null, null)]
    public void OfRequest_ContentType_ItsEncoding(string? type, JsonEncoding? encoding)
    {
        var context = new DefaultHttpContext();
        context.Request.ContentType = type;

        Assert.Equal(encoding, EncodingChoice.OfRequest(context.Request));
    }

    [Theory]
    [InlineData(null, JsonEncoding.Verbose)]
    [InlineData("*/*", JsonEncoding.Verbose)]
    [InlineData("application/*", JsonEncoding.Verbose)]
    [InlineData("application/json", JsonEncoding.Verbose)]
    [InlineData("application/json; encoding=compact", JsonEncoding.Compact)]
    [InlineData("application/json; encoding=compact; q=0.5, application/json; encoding=reversible",
        JsonEncoding.Reversible)]
    [InlineData("application/json; encoding=xml, application/json; encoding=compact", JsonEncoding.Compact)]
    [InlineData("text/html, application/xml;q=0.9, */*;q=0.8", JsonEncoding.Verbose)]
    [InlineData("application/json; encoding=xml", null)]
    [InlineData("text/html", null)]
    [InlineData("*/*; q=0", null)]
    [InlineData(";;;", null)]
    public void OfAnswer_Accept_BeatsTheRequest(string? accept, JsonEncoding? encoding)
    {
        var context = new DefaultHttpContext();
        context.Request.Headers.Accept = accept;

        Assert.Equal(encoding, EncodingChoice.OfAnswer(context.Request, JsonEncoding.Verbose));
    }
}
