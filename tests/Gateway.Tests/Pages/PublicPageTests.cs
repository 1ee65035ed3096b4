using System.Net;
using Gateway.Tests.Http;

namespace Gateway.Tests.Pages;

/// <summary>The page of a whole gateway: for everybody, while the API behind it asks for a user.</summary>
public sealed class PublicPageTests
{
    [Fact]
    public async Task Root_OfSomebodyWithoutALogin_ThePageAndNothingElse()
    {
        await using var gateway = await RunningGateway.StartAsync();

        using var page = await AskAsync(gateway, HttpMethod.Get, "/");
        using var info = await AskAsync(gateway, HttpMethod.Get, "/api/v1/info");

        Assert.Equal(HttpStatusCode.OK, page.StatusCode);
        Assert.Equal("text/html", page.Content.Headers.ContentType!.MediaType);
        Assert.Equal(HttpStatusCode.Unauthorized, info.StatusCode);
    }

    /// <summary>The console's own paths must not hide what the API says of unknown paths and methods.</summary>
    [Theory]
    [InlineData("GET", "/api/v1/nothing", HttpStatusCode.NotFound)]
    [InlineData("DELETE", "/api/v1/nothing", HttpStatusCode.NotFound)]
    [InlineData("DELETE", "/api/v1/limits", HttpStatusCode.MethodNotAllowed)]
    public async Task Path_OfTheApi_Unknown_IsAProblem(string method, string path, HttpStatusCode status)
    {
        await using var gateway = await RunningGateway.StartAsync();
        using var request = new HttpRequestMessage(new HttpMethod(method), path);
        request.Headers.TryAddWithoutValidation("Accept", "text/html");

        using var answer = await gateway.Client.SendAsync(request);

        Assert.Equal(status, answer.StatusCode);
        Assert.Equal("application/problem+json", answer.Content.Headers.ContentType!.MediaType);
    }

    /// <summary>Behind a proxy on this machine nobody is the demo's user.</summary>
    private static async Task<HttpResponseMessage> AskAsync(RunningGateway gateway, HttpMethod method, string path)
    {
        using var request = new HttpRequestMessage(method, path);
        request.Headers.Add("X-Forwarded-For", "10.0.0.1");
        return await gateway.Client.SendAsync(request);
    }
}
