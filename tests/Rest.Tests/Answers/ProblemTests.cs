using System.Text.Json;
using Gateway.Rest.Answers;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Tests.Answers;

public sealed class ProblemTests
{
    [Theory]
    [InlineData(StatusCodes.BadNodeIdUnknown, 404, "BadNodeIdUnknown", false)]
    [InlineData(StatusCodes.BadUserAccessDenied, 403, "BadUserAccessDenied", false)]
    [InlineData(StatusCodes.BadNotExecutable, 409, "BadNotExecutable", false)]
    [InlineData(StatusCodes.BadNotImplemented, 501, "BadNotImplemented", false)]
    [InlineData(StatusCodes.BadRequestTimeout, 408, "BadRequestTimeout", false)]
    [InlineData(StatusCodes.BadRequestTooLarge, 413, "BadRequestTooLarge", false)]
    [InlineData(StatusCodes.BadTooManySubscriptions, 429, "BadTooManySubscriptions", true)]
    [InlineData(StatusCodes.BadShutdown, 503, "BadShutdown", true)]
    [InlineData(StatusCodes.BadTimeout, 504, "BadTimeout", false)]
    [InlineData(StatusCodes.BadTooManyMatches, 409, "BadTooManyMatches", false)]
    [InlineData(StatusCodes.BadNodeIdInvalid, 400, "BadNodeIdInvalid", false)]
    [InlineData(0x80FF1234, 400, "0x80FF1234", false)]
    public async Task Write_StatusCode_IsHttpsStatusWithItsSymbol(uint code, int http, string symbol, bool comesBack)
    {
        var context = new DefaultHttpContext();
        using var body = new MemoryStream();
        context.Response.Body = body;

        await Problem.WriteAsync(context, code, "why");

        Assert.Equal(http, context.Response.StatusCode);
        Assert.Equal("application/problem+json", context.Response.ContentType);
        Assert.Equal(comesBack, context.Response.Headers.RetryAfter.Count == 1);
        using var json = JsonDocument.Parse(body.ToArray());
        Assert.Equal(http, json.RootElement.GetProperty("status").GetInt32());
        Assert.Equal(symbol, json.RootElement.GetProperty("statusCode").GetString());
        Assert.Equal("why", json.RootElement.GetProperty("detail").GetString());
    }
}
